import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { revision } from "#libs/contract/revisions.ts";
import { mailTo } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import {
  aMember,
  anApprovedAd,
  aPaidCheckout,
  aPendingAd,
  aPublisher,
  aTier,
  type Publisher,
} from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const WAITING = "to review";

/** Subjects of the mails to somebody, once `count` have been sent. */
async function subjectsTo(email: string, count: number): Promise<string[]> {
  return await vi.waitFor(
    async () => {
      const subjects = (await service.readMails())
        .filter(({ to }) => to === email)
        .map(({ subject }) => subject);
      expect(subjects.length).toBeGreaterThanOrEqual(count);
      return subjects;
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Waits until every mail that was queued so far has been sent. */
async function everyMailIsSent(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await service.database.pool.query(
        "select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'mail'",
      );
      expect(rows[0].waiting).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
}

function submit({ checkout }: { checkout: Awaited<ReturnType<typeof aPaidCheckout>> }, name: string) {
  return checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name,
    websiteUrl: "https://coffee.example",
  });
}

async function waitingMails(email: string): Promise<string[]> {
  await everyMailIsSent();
  const mails = await service.readMails();
  return mails
    .filter(({ to, subject }) => to === email && subject.includes(WAITING))
    .map(({ subject }) => subject);
}

it("tells Owners and Managers that an ad waits, and nobody else", async () => {
  const publisher = await aPublisher(service, "Heron & Sons");
  const manager = await aMember(service, publisher, "Manager");
  const viewer = await aMember(service, publisher, "Viewer");
  const neighbour = await aPublisher(service, "Magpie Weekly");

  const pending = await aPendingAd(service, publisher);

  const mail = await mailTo(service, publisher.person.email, WAITING);
  expect(mail).toMatchObject({
    from: "Placard <placard@example.org>",
    subject: `New ad ${WAITING}: Example Coffee`,
  });
  expect(mail.text).toContain(`${service.origin}/w/${publisher.workspace.id}/ads/${pending.id}`);
  expect(mail.html).toContain("Heron &amp; Sons");
  expect(await waitingMails(manager.email)).toHaveLength(1);
  expect(await waitingMails(viewer.email)).toEqual([]);
  expect(await waitingMails(neighbour.person.email)).toEqual([]);
});

it("tells of a waiting ad once, however often it is replaced, and again after changes were asked for", async () => {
  const publisher = await aPublisher(service);
  const pending = await aPendingAd(service, publisher);
  for (const name of ["Second", "Third", "Fourth"]) await submit(pending, name);

  const before = await waitingMails(publisher.person.email);
  await publisher.caller.ok(ad, "POST", `${pending.path}/request-changes`, { note: "Shorter." });
  for (const name of ["Fifth", "Sixth"]) await submit(pending, name);

  expect(before).toEqual([`New ad ${WAITING}: Example Coffee`]);
  expect(await waitingMails(publisher.person.email)).toEqual([...before, `New ad ${WAITING}: Fifth`]);
});

it("tells of racing submissions once", async () => {
  const publisher = await aPublisher(service);
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");

  await Promise.all(["One", "Two", "Three", "Four"].map((name) => submit({ checkout }, name)));

  expect(await waitingMails(publisher.person.email)).toHaveLength(1);
});

it("tells of a new version once until it is decided, then of the next one", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  for (const name of ["Second", "Third"]) await submit(running, name);
  await publisher.caller.ok(revision, "POST", `${running.path}/revision/request-changes`, {
    note: "Shorter.",
  });
  for (const name of ["Fourth", "Fifth"]) await submit(running, name);
  await publisher.caller.ok(ad, "POST", `${running.path}/revision/approve`);
  await submit(running, "Sixth");

  expect((await waitingMails(publisher.person.email)).slice(1)).toEqual([
    `New edit ${WAITING}: Second`,
    `New edit ${WAITING}: Fourth`,
    `New edit ${WAITING}: Sixth`,
  ]);
});

it("tells twenty people of a large team, the Owners first", async () => {
  const publisher = await aPublisher(service);
  for (let n = 0; n < 22; n += 1) await addMember(publisher, `manager-${n}@example.com`);

  await aPendingAd(service, publisher);

  await everyMailIsSent();
  const told = (await service.readMails()).filter(
    ({ to, subject }) => /^manager-\d+@example.com$/.test(to) && subject.includes(WAITING),
  );
  expect(told).toHaveLength(19);
  expect(await waitingMails(publisher.person.email)).toHaveLength(1);
});

async function addMember({ workspace }: Publisher, email: string): Promise<void> {
  await service.database.pool.query(
    `with person as (insert into people (id, name, email) values ('per_' || md5($1), 'M', $1) returning id)
     insert into members (id, workspace_id, person_id, role) select 'mem_' || md5($1), $2, id, 'Manager' from person`,
    [email, workspace.id],
  );
}

it("tells the advertiser what was decided, for the publisher and with the way back to the ad", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const pending = await aPendingAd(service, publisher);
  const { email, sessionId } = pending.checkout;
  const note = 'Please: no <b>"free"</b> & no capitals.';

  await publisher.caller.ok(ad, "POST", `${pending.path}/request-changes`, { note });
  await publisher.caller.ok(ad, "POST", `${pending.path}/approve`);
  await publisher.caller.ok(ad, "POST", `${pending.path}/reject`, { note: "Not any more." });

  const asked = await mailTo(service, email, "Changes requested");
  expect(asked.from).toBe("Heron Weekly via Placard <placard@example.org>");
  expect(asked.text).toContain(`  ${note}\n`);
  expect(asked.text).toContain(
    `${service.origin}/advertise/${publisher.workspace.id}/checkout/${sessionId}\n`,
  );
  expect(asked.html).toContain("no &lt;b&gt;&quot;free&quot;&lt;/b&gt; &amp; no capitals.");
  const rejected = await mailTo(service, email, "Your ad was rejected");
  expect(rejected.text).toContain("You won't be charged again.");
  expect((await subjectsTo(email, 4)).toSorted()).toEqual([
    "Changes requested: Example Coffee",
    "Submit your ad for Heron Weekly",
    "Your ad is approved: Example Coffee",
    "Your ad was rejected: Example Coffee",
  ]);
});

it("says nothing of a cancellation to the publisher who rejected the ad", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);

  await publisher.caller.ok(ad, "POST", `${running.path}/reject`, { note: "Not any more." });
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select from webhook_events where type = 'customer.subscription.deleted' and applied_at is not null and subject->>'id' = (select provider_subscription_id from subscriptions s join ads a on a.subscription_id = s.id where a.id = $1)",
      [running.id],
    );
    expect(rows).toHaveLength(1);
  }, 20_000);

  await everyMailIsSent();
  const subjects = await subjectsTo(publisher.person.email, 1);
  expect(subjects.toSorted()).toEqual([
    `New ad ${WAITING}: Example Coffee`,
    "New purchase: Example Coffee in Gold",
  ]);
});

it("sends no mail of a decision that is refused", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);

  await publisher.caller.refused(409, "POST", `${running.path}/approve`);
  await publisher.caller.refused(409, "POST", `${running.path}/request-changes`, { note: "Shorter." });

  await everyMailIsSent();
  expect((await subjectsTo(running.checkout.email, 2)).toSorted()).toEqual([
    "Submit your ad for Example Weekly",
    "Your ad is approved: Example Coffee",
  ]);
});
