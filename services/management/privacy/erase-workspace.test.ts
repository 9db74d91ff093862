import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { openPage } from "../selling/tests/pages.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { aMember, anApprovedAd, aPendingAd, aPerson, aPublisher, aTier } from "../tests/story.ts";
import { tablesWith } from "../tests/traces.ts";
import { aTenant, stateOf, type Tenant, tenantTables } from "../tests/two-tenants.ts";
import { sweep } from "../worker/sweep.ts";

const ALL_DAYS = { from: "2020-01-01", to: "2099-12-31" };
const DAY_MS = 24 * 60 * 60_000;
const service = await startManagement({ unlimited: true, stats: "real" });
const { services, database, processor } = service;
const { pool } = database;

async function track({
  workspace,
  running,
}: {
  readonly workspace: { readonly id: string };
  readonly running: { readonly id: string };
}): Promise<void> {
  const row = encodeEventRow({
    id: crypto.randomUUID(),
    workspaceId: workspace.id,
    adId: running.id,
    kind: "impression",
    verdict: "valid",
    visitor: "0123456789abcdef",
    occurredAt: Date.now(),
    source: "page",
    place: NO_PLACE,
  });
  await services.stats.insertRange({ token: crypto.randomUUID(), rows: [Buffer.from(row)] });
}

const remove = (
  { person, path, workspace }: Pick<Tenant, "person" | "path" | "workspace">,
  body: object = { refund: false },
) => person.caller.request("DELETE", path, { name: workspace.name, ...body });

const isThere = async (id: string) =>
  (await pool.query("select from workspaces where id = $1", [id])).rowCount === 1;

async function gone(id: string): Promise<void> {
  await expect.poll(() => isThere(id), { timeout: 30_000, interval: 50 }).toBe(false);
}

const rowsOf = async (workspaceId: string) => {
  const counts: Record<string, number | null> = {};
  for (const table of await tenantTables(service)) {
    counts[table] = (
      await pool.query(`select from ${table} where workspace_id = $1`, [workspaceId])
    ).rowCount;
  }
  return counts;
};

/** How often the job of a deletion has failed. */
const failuresOf = async (workspaceId: string): Promise<number> => {
  const failed = "select attempts from graphile_worker.jobs where key = $1 and last_error is not null";
  return (await pool.query(failed, [`erase-workspace:${workspaceId}`])).rows[0]?.attempts ?? 0;
};

const impressions = (workspaceId: string) => services.stats.dailyOfWorkspace(workspaceId, ALL_DAYS);

it("removes every row, text, file and count of a deleted workspace, and nothing of another", async () => {
  const ours = await aTenant(service, "Spoonbill");
  const theirs = await aTenant(service, "Magpie");
  await track(ours);
  await track(theirs);
  const before = await stateOf(service, theirs.workspace.id);

  const { status, text } = await remove(ours);
  await gone(ours.workspace.id);

  expect([status, text]).toEqual([200, '{"success":true}']);
  const left = await rowsOf(ours.workspace.id);
  expect(
    Object.values(left).every((count) => count === 0),
    JSON.stringify(left),
  ).toBe(true);
  expect(Object.keys(left).length).toBeGreaterThan(15);
  // The email to the advertiser is still sent.
  await expect.poll(() => tablesWith(service, "Spoonbill"), { timeout: 10_000 }).toEqual([]);
  expect(await stateOf(service, theirs.workspace.id)).toBe(before);
  await sweep(services);
  await expect.poll(() => impressions(ours.workspace.id), { timeout: 10_000 }).toEqual([]);
  expect(await impressions(theirs.workspace.id)).toHaveLength(1);
  expect(await isThere(theirs.workspace.id)).toBe(true);
});

it("stops serving and selling at once, ends all access, and frees the slug", async () => {
  const ours = await aTenant(service, "Egret");
  const slug = ours.workspace.slug;
  // The processor is away, so that nothing but the first step can have happened.
  await processor.while("gone", async () => {
    await remove(ours);

    await expect
      .poll(async () => (await service.placements.read(ours.workspace.id))?.tiers, { timeout: 1_000 })
      .toEqual([]);
    const snapshot = await service.placements.read(ours.workspace.id);
    const now = Date.now();
    const served = snapshot?.ads.filter(
      ({ servingSince, servingUntil }) => servingSince !== null && (servingUntil ?? now + 1) > now,
    );
    expect(served).toEqual([]);
    expect((await ours.person.caller.request("GET", ours.path)).status).toBe(403);
    expect((await ours.caller.request("GET", ours.path)).status).toBe(401);
    const bought = await ours.caller.request("POST", `${ours.path}/checkout-sessions`, {
      tierPriceId: ours.ids.priceId,
    });
    expect(bought.status).toBeGreaterThanOrEqual(400);
    const again = await aPublisher(service, ours.workspace.name);
    expect(again.workspace.slug).toBe(slug);
  });
});

it("cancels every subscription, emails the advertisers, and keeps invoices without names", async () => {
  const ours = await aTenant(service, "Stork");
  const { rows: subscriptions } = await pool.query<{ id: string }>(
    "select provider_subscription_id as id from subscriptions where workspace_id = $1",
    [ours.workspace.id],
  );
  const { rows: billed } = await pool.query(
    "select provider_invoice_id, number, status, total, amount_paid, issued_at from invoices where workspace_id = $1 order by 1",
    [ours.workspace.id],
  );

  await remove(ours);
  await gone(ours.workspace.id);

  const states = await Promise.all(
    subscriptions.map(async ({ id }) => (await processor.stripe.subscriptions.retrieve(id)).status),
  );
  expect(states).toEqual(["canceled", "canceled"]);
  const { rows: kept } = await pool.query(
    "select provider_invoice_id, number, status, total, amount_paid, issued_at from retained_invoices where former_workspace_id = $1 order by 1",
    [ours.workspace.id],
  );
  expect(kept).toEqual(billed);
  expect(kept.length).toBeGreaterThan(1);
  await expect
    .poll(
      async () => {
        const mails = await service.readMails();
        return mails.some(
          ({ to, text }) => to === ours.running.checkout.email && text.includes("your subscription for"),
        );
      },
      { timeout: 10_000 },
    )
    .toBe(true);
});

it("continues when the payment processor is back, and only then removes anything", async () => {
  const ours = await aTenant(service, "Ibis");
  await processor.while("failing", async () => {
    await remove(ours);
    await expect
      .poll(
        async () => {
          const { rows } = await pool.query<{ last_error: string | null }>(
            "select last_error from graphile_worker.jobs where key = $1",
            [`erase-workspace:${ours.workspace.id}`],
          );
          return rows[0]?.last_error ?? null;
        },
        { timeout: 10_000 },
      )
      .not.toBeNull();
    expect((await rowsOf(ours.workspace.id)).subscriptions).toBe(2);
  });

  await sweep(services);

  await gone(ours.workspace.id);
  // The email to the advertiser is still sent.
  await expect.poll(() => tablesWith(service, "Ibis"), { timeout: 10_000 }).toEqual([]);
});

it("closes an open checkout at the payment processor, and waits for that", async () => {
  const ours = await aPublisher(service, "Waiting Weekly");
  const { prices } = await aTier(ours);
  const session = z.object({ sessionId: z.string() });
  const { sessionId } = await ours.caller.ok(session.loose(), "POST", `${ours.path}/checkout-sessions`, {
    tierPriceId: prices[0]?.id,
  });

  await processor.while("failing", async () => {
    await remove(ours);
    await expect.poll(() => failuresOf(ours.workspace.id), { timeout: 10_000 }).toBeGreaterThan(0);
  });
  expect(await isThere(ours.workspace.id)).toBe(true);
  await sweep(services);

  await gone(ours.workspace.id);
  expect((await processor.stripe.checkout.sessions.retrieve(sessionId)).status).toBe("expired");
});

it("removes a subscription that the payment processor does not know only once it has not known it for a day", async () => {
  const ours = await aPublisher(service, "Stranger Weekly");
  await anApprovedAd(service, ours);
  const rename =
    "update subscriptions set provider_subscription_id = $2 || provider_subscription_id where workspace_id = $1";
  await pool.query(rename, [ours.workspace.id, "of_another_account_"]);

  await remove(ours);
  await expect.poll(() => failuresOf(ours.workspace.id), { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await isThere(ours.workspace.id)).toBe(true);
  await pool.query(
    "update subscriptions set missing_since = missing_since - interval '1 day' where workspace_id = $1",
    [ours.workspace.id],
  );
  await sweep(services);

  await gone(ours.workspace.id);
});

it("removes events that arrive late, for 30 days", async () => {
  const ours = await aTenant(service, "Crane");
  await remove(ours);
  await gone(ours.workspace.id);
  const erasures = async () =>
    (await pool.query("select from graphile_worker.jobs where key = 'erase-events'")).rowCount;
  await sweep(services);
  await expect.poll(erasures, { timeout: 10_000 }).toBe(0);

  await track(ours);
  const late = await impressions(ours.workspace.id);
  await sweep({ ...services, now: () => Date.now() + 29 * DAY_MS });

  expect(late).toHaveLength(1);
  await expect.poll(() => impressions(ours.workspace.id), { timeout: 10_000 }).toEqual([]);
  await expect.poll(erasures).toBe(0);
  await track(ours);
  await sweep({ ...services, now: () => Date.now() + 31 * DAY_MS });
  expect(await erasures()).toBe(0);
  expect(await impressions(ours.workspace.id)).toHaveLength(1);
  await sweep({ ...services, now: () => Date.now() + 366 * DAY_MS });
  expect((await pool.query("select from erased_workspaces")).rowCount).toBe(0);
});

it("removes the events of workspaces that are deleted within minutes together, because each removal rewrites those of everybody", async () => {
  const deleted = [await aPublisher(service, "Dunlin Weekly"), await aPublisher(service, "Knot Weekly")];
  const ids = deleted.map(({ workspace }) => workspace.id);
  for (const { workspace } of deleted) await track({ workspace, running: { id: newId("ad") } });
  const erasures = vi.spyOn(services.stats, "eraseWorkspaces");
  onTestFinished(() => void vi.restoreAllMocks());

  for (const one of deleted) {
    await remove(one);
    await gone(one.workspace.id);
  }
  const removedAtOnce = erasures.mock.calls.length;
  await sweep(services);
  const counts = async () => (await Promise.all(ids.map((id) => impressions(id)))).flat();
  await expect.poll(counts, { timeout: 10_000 }).toEqual([]);

  expect(removedAtOnce).toBe(0);
  expect(erasures.mock.calls).toEqual([[expect.arrayContaining(ids)]]);
});

it("counts letters to buyers who paid nothing for the Owner of the workspace, even after its deletion has begun", async () => {
  const ours = await aTenant(service, "Avocet");
  const { rows: people } = await pool.query("select id from people where email = $1", [ours.person.email]);
  await pool.query("update prices set amount = 0 where workspace_id = $1", [ours.workspace.id]);
  const counted: string[] = [];
  const consume = services.limits.consume.bind(services.limits);
  vi.spyOn(services.limits, "consume").mockImplementation(async (rule, key) => {
    if (rule.name.startsWith("mail-free-")) counted.push(key);
    return await consume(rule, key);
  });
  onTestFinished(() => void vi.restoreAllMocks());

  await remove(ours);
  await gone(ours.workspace.id);

  expect(counted).toContain(people[0]?.id);
  expect(new Set(counted).size).toBe(1);
});

it("reads no answers that other workspaces have kept for retries", async () => {
  const ours = await aPublisher(service, "Curlew Weekly");
  const keep = async (caller: string) => {
    const values = [caller, `{"about":"${ours.workspace.id}"}`];
    await pool.query(
      "insert into idempotency_keys (caller, key, request_hash, status, body) values ($1, 'k', sha256('k'), 200, $2)",
      values,
    );
  };
  for (const caller of [
    `${ours.workspace.id}/tiers.create`,
    "usr_1/workspaces.create",
    "/hash/checkout.submit",
  ]) {
    await keep(caller);
  }
  await keep("ws_another/tiers.create");

  await remove(ours);
  await gone(ours.workspace.id);

  const { rows } = await pool.query("select caller from idempotency_keys where key = 'k'");
  expect(rows).toEqual([{ caller: "ws_another/tiers.create" }]);
});

it("requires the workspace's name, from a signed-in Owner", async () => {
  const ours = await aPublisher(service, "Careful Weekly");
  const manager = await aMember(service, ours, "Manager");
  const stranger = await aPerson(service);

  const { data } = await ours.person.caller.refused(422, "DELETE", ours.path, {
    name: "careful weekly",
    refund: false,
  });
  const statuses = await Promise.all(
    [ours.caller, manager.caller, stranger.caller].map(
      async (caller) => (await caller.request("DELETE", ours.path, { name: "Careful Weekly" })).status,
    ),
  );

  expect(data?.fieldErrors).toEqual({ name: ["This is not the name of the workspace."] });
  expect(statuses).toEqual([403, 403, 403]);
  expect(await isThere(ours.workspace.id)).toBe(true);
});

/** The refunds that the processor has made of a workspace's sales, before the rows go. */
async function refundsAtProcessor(processorSubscriptionId: string): Promise<number[]> {
  const invoices = await processor.stripe.invoices.list({ subscription: processorSubscriptionId });
  const charges = await Promise.all(
    invoices.data.map(({ id }) => services.payments.readChargeOfInvoice(id, null)),
  );
  return charges.flatMap((charge) => charge?.refunds.map(({ amount }) => amount) ?? []);
}

async function aSoldAd(brand: string) {
  const publisher = await aPublisher(service, `${brand} Weekly`);
  await publisher.person.caller.request("PATCH", `${publisher.path}/settings`, {
    contactEmail: "ads@closing.example",
  });
  const sold = await aPendingAd(service, publisher);
  const { subscription } = await processor.stripe.checkout.sessions.retrieve(sold.checkout.sessionId);
  const link = `/advertise/${publisher.workspace.id}/checkout/${sold.checkout.sessionId}`;
  return { ...publisher, email: sold.checkout.email, subscription: String(subscription), link };
}

/** What an advertiser reads behind a link of an earlier email. */
async function pageOf({ link }: { readonly link: string }, below = ""): Promise<string> {
  const page = await openPage(service, `${link}${below}`);
  expect(page.status).toBe(404);
  return page.text;
}

it("keeps a workspace until the refunds that its Owner has chosen are made, and says so to the advertiser", async () => {
  const ours = await aSoldAd("Plover");

  await processor.while("poor", async () => {
    const { status } = await remove(ours, { refund: true });
    expect(status).toBe(200);
    await expect
      .poll(
        async () => {
          const { rowCount } = await pool.query(
            "select from graphile_worker.jobs where task_identifier = 'erase-workspace' and attempts > 0 and locked_at is null",
          );
          return rowCount;
        },
        { timeout: 20_000 },
      )
      .toBe(1);
    expect(await isThere(ours.workspace.id)).toBe(true);
    expect(await pageOf(ours)).toContain("This publisher has closed");
  });
  await pool.query(
    "select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) from graphile_worker.jobs where task_identifier = 'erase-workspace'",
  );
  await gone(ours.workspace.id);

  expect(await refundsAtProcessor(ours.subscription)).toEqual([4900]);
  for (const below of ["", "/edit", "/billing", "/billing/pay"]) {
    expect(await pageOf(ours, below)).toContain(
      "everything you paid if your ad never ran, goes back to the card",
    );
  }
  // Nobody's name is on the page.
  expect(await pageOf(ours)).not.toMatch(/Plover|Coffee|closing\.example/);
  const mails = await mailsTo(service, ours.email);
  const closed = mails.find(({ subject }) => subject.includes("has closed"));
  expect(closed?.text).toContain("Plover Weekly refunds what is left of your payment");
  expect(closed?.text).toContain("write to ads@closing.example");
  expect(closed?.text).not.toContain(service.origin);
  expect(mails.map(({ subject }) => subject)).toContain("Plover Weekly has refunded $49.00");
});

it("refunds also what was paid for an ad that ended before anybody reviewed it", async () => {
  const ours = await aSoldAd("Sandpiper");
  await processor.stripe.subscriptions.cancel(ours.subscription);
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        "select status from subscriptions where provider_subscription_id = $1",
        [ours.subscription],
      );
      return rows[0]?.status;
    })
    .toBe("Canceled");
  await webhooksApplied(service);

  await remove(ours, { refund: true });
  await gone(ours.workspace.id);

  expect(await refundsAtProcessor(ours.subscription)).toEqual([4900]);
  const subjects = (await mailsTo(service, ours.email)).map(({ subject }) => subject);
  expect(subjects).toContain("Sandpiper Weekly has refunded $49.00");
});

it("refunds nothing where that was chosen, and takes no deletion that does not choose", async () => {
  const ours = await aSoldAd("Dunlin");
  expect((await remove(ours, {})).status).toBe(422);

  await remove(ours, { refund: false });
  await gone(ours.workspace.id);

  expect(await pageOf(ours)).toContain("Past payments aren't refunded automatically.");
  expect(await refundsAtProcessor(ours.subscription)).toEqual([]);
  const closed = (await mailsTo(service, ours.email)).find(({ subject }) => subject.includes("has closed"));
  expect(closed?.text).toContain("Contact ads@closing.example about a refund.");
});
