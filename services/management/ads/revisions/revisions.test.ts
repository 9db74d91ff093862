import { expect, it, vi } from "vitest";
import { ad, listedAd } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { pageOf } from "#libs/contract/query.ts";
import { revision } from "#libs/contract/revisions.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, anApprovedAd, aPendingAd, aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const revised = { name: "Example Roasters", websiteUrl: "https://roasters.example" };

type Submitted = Awaited<ReturnType<typeof anApprovedAd>>;

async function propose({ checkout }: Submitted, changes: Record<string, unknown> = {}) {
  return await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { ...revised, ...changes });
}

async function served(adId: string) {
  const snapshot = await service.placements.read(publisher.workspace.id);
  return snapshot?.ads.find(({ id }) => id === adId);
}

it("keeps the approved creative on air while a submission is proposed as a revision", async () => {
  const running = await anApprovedAd(service, publisher);
  await vi.waitFor(
    async () => expect(await served(running.id)).toMatchObject({ name: "Example Coffee" }),
    20_000,
  );
  const before = await caller.ok(ad, "GET", running.path);

  const answer = await propose(running);

  expect(answer).toMatchObject({ id: running.id, status: "Approved", name: "Example Coffee" });
  expect(await caller.ok(ad, "GET", running.path)).toEqual({ ...before, version: 2 });
  expect(await served(running.id)).toMatchObject({ name: "Example Coffee" });
  const open = await caller.ok(revision, "GET", `${running.path}/revision`);
  expect(open).toMatchObject({ adId: running.id, ...revised, meta: [], note: null });
  expect(await running.checkout.caller.ok(revision, "GET", `${running.checkout.path}/revision`)).toEqual(
    open,
  );
});

it("serves an approved revision within a second and keeps the publisher's own values", async () => {
  const theirs = await aField(publisher, { name: "Claim", key: "claim" });
  const ours = await aField(publisher, { name: "Campaign", key: "campaign", isPublisherOnly: true });
  const running = await anApprovedAd(service, publisher);
  await service.database.db
    .updateTable("ads")
    .set({ meta: JSON.stringify({ [theirs.id]: "Old", [ours.id]: "Spring" }) })
    .where("id", "=", running.id)
    .execute();
  const proposed = await propose(running, { meta: [{ fieldId: theirs.id, value: "New" }] });

  const approved = await caller.ok(ad, "POST", `${running.path}/revision/approve`);

  await vi.waitFor(
    async () => expect(await served(running.id)).toMatchObject({ ...revised, meta: { claim: "New" } }),
    { timeout: 1000, interval: 10 },
  );
  expect(proposed.meta).toEqual([{ fieldId: theirs.id, value: "Old" }]);
  expect(approved).toMatchObject({ id: running.id, status: "Approved", ...revised });
  expect(new Map(approved.meta.map(({ fieldId, value }) => [fieldId, value]))).toEqual(
    new Map([
      [theirs.id, "New"],
      [ours.id, "Spring"],
    ]),
  );
  expect(Date.parse(approved.reviewedAt ?? "")).toBeGreaterThan(Date.parse(running.reviewedAt ?? ""));
  await caller.refused(404, "GET", `${running.path}/revision`);
});

it("replaces the open revision and its note by a newer submission: one an ad", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  const noted = await caller.ok(revision, "POST", `${running.path}/revision/request-changes`, {
    note: " Shorter, please. ",
  });
  await propose(running, { name: "Roasters" });

  expect(noted).toMatchObject({ ...revised, note: "Shorter, please." });
  const open = await caller.ok(revision, "GET", `${running.path}/revision`);
  expect(open).toMatchObject({ name: "Roasters", note: null });
  expect(Date.parse(open.submittedAt)).toBeGreaterThanOrEqual(Date.parse(noted.submittedAt));
  const listed = await caller.ok(pageOf(revision), "GET", `${path}/revisions?perPage=100`);
  expect(listed.items.filter(({ adId }) => adId === running.id)).toEqual([open]);
});

it("opens no revision for what is live already, and takes an open one back", async () => {
  const field = await aField(publisher, { name: "Motto" });
  const running = await anApprovedAd(service, publisher);
  const live = { name: running.name, websiteUrl: running.websiteUrl, meta: [] };

  const same = await propose(running, live);
  await running.checkout.caller.refused(404, "GET", `${running.checkout.path}/revision`);
  await propose(running, { ...live, meta: [{ fieldId: field.id, value: "Fresh" }] });
  const open = await caller.ok(revision, "GET", `${running.path}/revision`);
  const back = await propose(running, live);

  expect(same).toMatchObject({ id: running.id, status: "Approved", name: running.name, meta: [] });
  const page = `/advertise/${publisher.workspace.slug}/checkout/${running.checkout.sessionId}`;
  const form = new URLSearchParams({ name: running.name, websiteUrl: running.websiteUrl }).toString();
  const sent = await running.checkout.caller.request("POST", page, form, {
    "content-type": "application/x-www-form-urlencoded",
  });
  const told = await running.checkout.caller.request("GET", sent.headers.get("location") ?? "");
  expect([sent.status, told.text]).toEqual([303, expect.stringContaining("nothing to review")]);
  expect(open.meta).toEqual([{ fieldId: field.id, value: "Fresh" }]);
  expect(back).toEqual(same);
  await caller.refused(404, "GET", `${running.path}/revision`);
  await caller.refused(409, "POST", `${running.path}/revision/approve`, { version: open.version });
  expect((await auditTrail(service, running.id)).map(({ action }) => action)).toEqual([
    "ad.submit",
    "ad.approve",
    "revision.submit",
    "revision.withdraw",
  ]);
});

it("drops a rejected revision and leaves the ad unchanged", async () => {
  const running = await anApprovedAd(service, publisher);
  const before = await caller.ok(ad, "GET", running.path);
  await propose(running);

  const answer = await caller.ok(ad, "POST", `${running.path}/revision/reject`, { note: "Says less." });

  expect(answer).toEqual({ ...before, version: 2 });
  await caller.refused(404, "GET", `${running.path}/revision`);
  await running.checkout.caller.refused(404, "GET", `${running.checkout.path}/revision`);
  const last = (await auditTrail(service, running.id)).at(-1);
  expect(last).toMatchObject({
    action: "revision.reject",
    before: { name: revised.name },
    after: { rejectionNote: "Says less." },
  });
});

it("tells the advertiser by email of requested changes and rejections", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  await caller.ok(revision, "POST", `${running.path}/revision/request-changes`, { note: "Shorter." });
  await caller.ok(ad, "POST", `${running.path}/revision/reject`, { note: "Says less." });
  await caller.ok(ad, "POST", `${running.path}/reject`, { note: "No coffee here." });

  await vi.waitFor(
    async () => {
      const mails = (await service.readMails()).filter(({ to }) => to.includes(running.checkout.email));
      // Besides these three: the purchase and the approval.
      expect(mails).toHaveLength(5);
      for (const note of ["Shorter.", "Says less.", "No coffee here."]) {
        expect(mails.filter(({ text }) => text.includes(note))).toHaveLength(1);
      }
    },
    { timeout: 20_000 },
  );
});

it("drops the revision of an ad that is rejected", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  await caller.ok(ad, "POST", `${running.path}/reject`, { note: "Not for our readers." });

  await caller.refused(404, "GET", `${running.path}/revision`);
  await caller.refused(409, "POST", `${running.path}/revision/approve`);
});

it("lets one of racing decisions on a revision win and answers the others, and later ones, with 409", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? caller.request("POST", `${running.path}/revision/approve`)
        : caller.request("POST", `${running.path}/revision/reject`, { note: "No." }),
    ),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  const later = await caller.refused(409, "POST", `${running.path}/revision/approve`);
  expect(later.data?.formErrors).toEqual(["No edit of this ad is waiting for a decision."]);
  const decisions = (await auditTrail(service, running.id)).filter(({ action }) =>
    ["revision.approve", "revision.reject"].includes(action),
  );
  expect(decisions).toHaveLength(1);
});

it("never loses a submission that races an approval: it is on air or open", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  const [, approval] = await Promise.all([
    propose(running, { name: "The latest" }),
    caller.request("POST", `${running.path}/revision/approve`),
  ]);

  expect(approval.status).toBe(200);
  const onAir = await caller.ok(ad, "GET", running.path);
  const open = await caller.request("GET", `${running.path}/revision`);
  expect([onAir.name, open.status]).toEqual(open.status === 200 ? [revised.name, 200] : ["The latest", 404]);
});

it("lists open revisions newest first, a page at a time", async () => {
  const first = await anApprovedAd(service, publisher);
  const second = await anApprovedAd(service, publisher);
  await propose(second);
  await propose(first);

  const page = await caller.ok(pageOf(revision), "GET", `${path}/revisions?perPage=2`);

  expect(page.items.map(({ adId }) => adId)).toEqual([first.id, second.id]);
  expect(page.pageCount).toBe(Math.ceil(page.total / 2));
  await caller.refused(422, "GET", `${path}/revisions?page=0`);
});

it("has no revision of a pending ad, whose submission replaces it", async () => {
  const pending = await aPendingAd(service, publisher);

  await pending.checkout.caller.ok(submittedAd, "POST", `${pending.checkout.path}/ad`, revised);

  await caller.refused(404, "GET", `${pending.path}/revision`);
  expect(await caller.ok(ad, "GET", pending.path)).toMatchObject({ ...revised, status: "Pending" });
});

it("refuses a rejection without a note that can be read, and changes nothing", async () => {
  const running = await anApprovedAd(service, publisher);
  await propose(running);

  for (const note of [undefined, "", " ", "x".repeat(501), 5, "a\u0000b"]) {
    expect(await caller.invalid("POST", `${running.path}/revision/reject`, { note })).toEqual(["note"]);
  }
  const { items } = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?perPage=1`);
  expect(items[0]).toMatchObject({ id: running.id, name: "Example Coffee" });
});
