import { Registry } from "prom-client";
import type { Stripe } from "stripe";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { invoice as invoiceShape } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { tier as tierShape } from "#libs/contract/tiers.ts";
import { newId } from "#libs/domain/ids.ts";
import { subjectsTo } from "../../mail/tests/sent-mails.ts";
import { createCommands } from "../../operator/webhooks.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { startJobs } from "../../worker/jobs.ts";
import { listOpenCheckouts } from "./queries.ts";
import { reconcile } from "./reconcile.ts";
import { createReconciliationMetrics, findRun, queueReconciliation } from "./runs.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor, services } = service;
const { pool, db } = database;
const { stripe } = processor;
const publisher = await aPublisher(service);
const { caller, path } = publisher;

afterEach(() => void vi.restoreAllMocks());

async function newestSubscription(): Promise<Stripe.Subscription> {
  const [newest] = (await stripe.subscriptions.list({ limit: 1, status: "all" })).data;
  if (newest === undefined) throw new Error("the processor has no subscription");
  return newest;
}

/** A served ad, and a change of its subscription at the processor without a webhook. */
async function anAdThatDrifts(change: (id: string) => Promise<unknown>) {
  const running = await anApprovedAd(service, publisher);
  await change((await newestSubscription()).id);
  return running;
}

async function statusOf(subscriptionId: string): Promise<string> {
  const { rows } = await pool.query("select status from subscriptions where id = $1", [subscriptionId]);
  return rows[0].status;
}

async function finished(runId: string) {
  return await vi.waitFor(
    async () => {
      const run = await findRun(db, runId);
      if (run?.report == null) throw new Error("the comparison has not finished");
      return { ...run, report: run.report };
    },
    { timeout: 15_000, interval: 50 },
  );
}

it("repairs and reports the drift of lost webhooks, and finds nothing afterwards", async () => {
  const paused = await anAdThatDrifts((id) =>
    stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } }),
  );
  const canceled = await anAdThatDrifts((id) => stripe.subscriptions.cancel(id));
  const settled = await anApprovedAd(service, publisher);
  const { prices } = await aTier(publisher);
  const missed = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");

  const first = await reconcile(services);
  const second = await reconcile(services);

  expect([await statusOf(paused.subscription.id), await statusOf(canceled.subscription.id)]).toEqual([
    "Paused",
    "Canceled",
  ]);
  const { rows } = await pool.query("select subscription_id, status from checkout_sessions where id = $1", [
    missed.sessionId,
  ]);
  expect(rows).toEqual([{ subscription_id: expect.any(String), status: "complete" }]);
  const repaired = first.report.repaired.subscription.ids.toSorted();
  expect(repaired).toEqual(
    [paused.subscription.id, canceled.subscription.id, rows[0].subscription_id].toSorted(),
  );
  expect(repaired).not.toContain(settled.subscription.id);
  expect(first.report.repaired.checkout).toEqual({ count: 1, ids: [missed.sessionId] });
  expect(first.report.failed).toEqual({ count: 0, ids: [] });
  // A pause that was made at the processor becomes one of the publisher's: that is recorded as well.
  expect(await auditTrail(service, paused.subscription.id)).toContainEqual(
    expect.objectContaining({
      actor_kind: "processor",
      action: "subscription.update",
      before: expect.objectContaining({ status: "Active" }),
      after: expect.objectContaining({ status: "Paused" }),
    }),
  );
  for (const { count } of Object.values(second.report.repaired)) expect(count).toBe(0);
});

it("repairs refunds and disputes whose webhooks were lost, including those older than the first fill of the ledger", async () => {
  const running = await anApprovedAd(service, publisher);
  const { latest_invoice: invoice } = await newestSubscription();
  const { data } = await stripe.invoicePayments.list({ invoice: String(invoice) });
  const { data: charges } = await stripe.charges.list({
    payment_intent: String(data[0]?.payment.payment_intent),
  });
  const chargeId = charges[0]?.id ?? "";
  await caller.request("POST", `/sandbox/charges/${chargeId}/refund`, { amount: 900 });
  await caller.request("POST", `/sandbox/charges/${chargeId}/dispute`, {});
  await pool.query("delete from ledger_fills");

  const first = await reconcile(services);
  const second = await reconcile(services);

  const list = await caller.ok(
    pageOf(invoiceShape),
    "GET",
    `${path}/invoices?subscriptionId=${running.subscription.id}`,
  );
  expect(list.items).toMatchObject([{ amountRefunded: 900, disputed: true, refunds: [{ amount: 900 }] }]);
  expect(first.report.repaired.charge).toEqual({ count: 1, ids: [chargeId] });
  expect(second.report.repaired.charge.count).toBe(0);
});

/** A sale whose charge is known to the processor, and the invoices in our ledger. */
async function aChargedSale() {
  const running = await anApprovedAd(service, publisher);
  const { latest_invoice: invoice } = await newestSubscription();
  const charge = await services.payments.readChargeOfInvoice(String(invoice), null);
  const chargeId = charge?.id ?? "";
  const invoices = async () => {
    const list = await caller.ok(
      pageOf(invoiceShape),
      "GET",
      `${path}/invoices?subscriptionId=${running.subscription.id}`,
    );
    return list.items;
  };
  return { chargeId, invoices };
}

it("follows a dispute whose webhooks are lost from its amount and deadline to the bank's decision", async () => {
  const { chargeId, invoices } = await aChargedSale();
  const opened = await caller.request("POST", `/sandbox/charges/${chargeId}/dispute`, {});
  const dispute = JSON.parse(opened.text);

  await reconcile(services);
  const [open] = await invoices();
  await caller.request("POST", `/sandbox/disputes/${dispute.id}/close`, { outcome: "lost" });
  // The dispute is older than what is listed: only the ledger still knows that it is open.
  await reconcile({ ...services, now: () => Date.now() + 30 * 86_400_000 });
  const [lost] = await invoices();

  const evidenceDueBy = new Date(dispute.evidence_details.due_by * 1000).toISOString();
  expect(open?.dispute).toEqual({ amount: 4900, status: "needs_response", evidenceDueBy });
  expect(lost?.dispute).toEqual({ amount: 4900, status: "lost", evidenceDueBy });
  const csv = await caller.request("GET", `${path}/invoices.csv`);
  expect(csv.text).toContain(`4900,lost,${evidenceDueBy}`);
});

it("finds what was missed in a month without webhooks and comparisons that succeeded", async () => {
  const { chargeId, invoices } = await aChargedSale();
  await reconcile(services);
  const inDays = (days: number) => ({ ...services, now: () => Date.now() + days * 86_400_000 });
  await stripe.refunds.create({ charge: chargeId, amount: 700 });

  const failed = await processor.while("failing", () => reconcile(inDays(15)));
  const { report } = await reconcile(inDays(30));
  const again = await reconcile(inDays(31));

  expect(failed.report.failed.ids).toContain("platform");
  expect(await invoices()).toMatchObject([{ amountPaid: 4900, amountRefunded: 700 }]);
  expect(report.repaired.charge.ids).toEqual([chargeId]);
  expect(again.report.repaired.charge.count).toBe(0);
});

it("finds what a restored backup lacks, however old it is", async () => {
  const { chargeId, invoices } = await aChargedSale();
  await reconcile(services);
  const { rows: backup } = await pool.query("select account, compared_at from ledger_fills");
  await reconcile({ ...services, now: () => Date.now() + 200 * 86_400_000 });
  await stripe.refunds.create({ charge: chargeId, amount: 300 });
  for (const { account, compared_at } of backup) {
    await pool.query("update ledger_fills set compared_at = $1 where account = $2", [compared_at, account]);
  }

  await reconcile({ ...services, now: () => Date.now() + 201 * 86_400_000 });

  expect(await invoices()).toMatchObject([{ amountRefunded: 300 }]);
});

/** What a sale writes, in the order of the foreign keys, with what is sold. */
const SALES = [
  "checkout_sessions",
  "charges",
  "invoices",
  "subscriptions",
  "advertisers",
  "prices",
  "tiers",
] as const;

it("gives a buyer the page again that a restored backup lacks, with a letter that leads there", async () => {
  const owner = await aPublisher(service);
  const { prices } = await aTier(owner);
  const { path: session, caller: buyer, email } = await aPaidCheckout(service, owner, prices[0]?.id ?? "");
  await reconcile(services);
  for (const table of SALES.slice(0, -2))
    await pool.query(`delete from ${table} where workspace_id = $1`, [owner.workspace.id]);

  await reconcile(services);
  const { report } = await reconcile(services);

  const name = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
  expect((await buyer.request("POST", `${session}/ad`, name)).status).toBe(200);
  const [before, again, ...others] = await subjectsTo(service, email);
  expect(again).toBe(before);
  expect(others).toEqual([]);
  expect(report.repaired.checkout.count + report.failed.count).toBe(0);
});

/** A live subscription of which nothing is here any more, not even its price. */
async function aForgottenSale() {
  const owner = await aPublisher(service);
  const { prices } = await aTier(owner);
  await aPaidCheckout(service, owner, prices[0]?.id ?? "");
  await reconcile(services);
  const { id: workspaceId } = owner.workspace;
  const sold = "select provider_subscription_id as id from subscriptions where workspace_id = $1";
  const { id } = (await pool.query<{ id: string }>(sold, [workspaceId])).rows[0] ?? { id: "" };
  for (const table of SALES) await pool.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
  return id;
}

it("names what was sold at a price that a restored backup lacks, and leaves it alone", async () => {
  const id = await aForgottenSale();

  const { report } = await reconcile(services);

  expect(report.failed.ids).toContain(id);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  await stripe.subscriptions.cancel(id);
});

it("ends what a deleted workspace has left at the processor", async () => {
  const id = await aForgottenSale();
  const workspaceId = newId("workspace");
  await pool.query("insert into erased_workspaces (id, erased_at) values ($1, now())", [workspaceId]);
  await stripe.subscriptions.update(id, { metadata: { workspaceId } });

  const { report } = await reconcile(services);

  expect(report.failed.ids).not.toContain(id);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
});

it("finds a refund of an invoice that the ledger lacks, from before its first fill", async () => {
  const { chargeId, invoices } = await aChargedSale();
  await stripe.refunds.create({ charge: chargeId, amount: 1200 });
  await pool.query(
    "delete from refunds; delete from charges; delete from invoices; delete from ledger_fills",
  );

  const { report } = await reconcile({ ...services, now: () => Date.now() + 90 * 86_400_000 });

  expect(await invoices()).toMatchObject([{ amountPaid: 4900, amountRefunded: 1200 }]);
  expect(report.repaired.charge.ids).toContain(chargeId);
  expect(report.failed.count).toBe(0);
});

it("stops serving the ad of a repaired subscription", async () => {
  const running = await anAdThatDrifts((id) => stripe.subscriptions.cancel(id));

  await reconcile(services);

  await vi.waitFor(async () => {
    const snapshot = await service.placements.read(publisher.workspace.id);
    const published = snapshot?.ads.find(({ id }) => id === running.id);
    expect(published?.servingUntil ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(Date.now());
  }, 20_000);
});

it("archives and unarchives tiers and prices at the processor to match ours", async () => {
  const { tier } = await anApprovedAd(service, publisher);
  const priceId = tier.prices[0]?.id ?? "";
  await caller.ok(tierShape, "DELETE", `${path}/tiers/${tier.id}`);
  await caller.request("DELETE", `${path}/tiers/${tier.id}/prices/${priceId}`);
  await vi.waitFor(async () => expect(await isOnSale(tier.id, priceId)).toEqual([false, false]), 20_000);
  // As after telling was given up: the processor has them on sale, and we know it.
  await stripe.products.update(tier.id, { active: true });
  const [price] = (await stripe.prices.list({ lookup_keys: [priceId] })).data;
  await stripe.prices.update(price?.id ?? "", { active: true });
  await pool.query("update tiers set provider_active = true where id = $1", [tier.id]);
  await pool.query("update prices set provider_active = true where id = $1", [priceId]);

  const { report } = await reconcile(services);

  expect(report.repaired.tier).toEqual({ count: 1, ids: [tier.id] });
  expect(await isOnSale(tier.id, priceId)).toEqual([false, false]);
});

async function isOnSale(tierId: string, priceId: string): Promise<(boolean | undefined)[]> {
  const product = await stripe.products.retrieve(tierId);
  const { data } = await stripe.prices.list({ lookup_keys: [priceId] });
  return [product.active, data[0]?.active];
}

it("makes every due refund and tells of every tier, also behind hundreds that the processor never takes", async () => {
  const { subscription, tier } = await anApprovedAd(service, publisher);
  onTestFinished(async () => {
    await pool.query("delete from subscriptions where provider_subscription_id like 'sub_gone%'");
    await pool.query("delete from tiers where name = 'Gone'");
  });
  // In the order of their ids both come before.
  await pool.query(
    `insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status, sync_version, charge_at, refund_due_since, cleared_at)
     select 'sub_' || lpad(n::text, 26, '0'), workspace_id, advertiser_id, tier_id, price_id, 'sub_gone_' || n, 'Canceled', 1, 'purchase', now() - interval '9 days', now()
     from subscriptions, generate_series(1, 101) n where id = $1`,
    [subscription.id],
  );
  await pool.query("update subscriptions set refund_due_since = now() where id = $1", [subscription.id]);
  await pool.query(
    `insert into tiers (id, workspace_id, name, weight, "order", provider_product_id, provider_account, is_active)
     select 'tier_' || lpad(n::text, 26, '0'), workspace_id, 'Gone', 1, 0, 'gone_' || n, 'acct_gone', false
     from tiers, generate_series(1, 501) n where id = $1`,
    [tier.id],
  );
  await caller.ok(tierShape, "DELETE", `${path}/tiers/${tier.id}`);
  await vi.waitFor(async () => expect((await stripe.products.retrieve(tier.id)).active).toBe(false), 20_000);
  await stripe.products.update(tier.id, { active: true });
  await pool.query("update tiers set provider_active = true where id = $1", [tier.id]);

  await reconcile(services);

  expect((await stripe.products.retrieve(tier.id)).active).toBe(false);
  // The subscription has not ended, so the job finds that nothing is due.
  await vi.waitFor(async () => {
    const { rows } = await pool.query("select refund_due_since as due from subscriptions where id = $1", [
      subscription.id,
    ]);
    expect(rows).toEqual([{ due: null }]);
  }, 20_000);
});

it("unarchives a price at the processor before it is sold again", async () => {
  const sold = await aTier(publisher);
  const priceId = sold.prices[0]?.id ?? "";
  await aPaidCheckout(service, publisher, priceId);
  await caller.ok(tierShape, "DELETE", `${path}/tiers/${sold.id}`);
  await vi.waitFor(async () => {
    const { rows } = await pool.query("select provider_active as told from tiers where id = $1", [sold.id]);
    expect(rows).toEqual([{ told: false }]);
  }, 20_000);
  await pool.query("update tiers set is_active = true where id = $1", [sold.id]);

  const { sessionId } = await aPaidCheckout(service, publisher, priceId);

  expect(sessionId).toMatch(/^cs_/);
  expect(await isOnSale(sold.id, priceId)).toEqual([true, true]);
});

it("continues after a failure of the processor, reports it, and asks for a retry", async () => {
  const drifted = await anAdThatDrifts((id) => stripe.subscriptions.cancel(id));

  const failed = await processor.while("failing", () => reconcile(services));
  const repeated = await reconcile(services);

  expect(failed.canRetry).toBe(true);
  expect(failed.report.failed.ids).toContain("platform");
  expect(failed.report.repaired.subscription.count).toBe(0);
  expect(repeated.canRetry).toBe(false);
  expect(repeated.report.repaired.subscription.ids).toContain(drifted.subscription.id);
});

it("runs one comparison at a time over all processes, and keeps each report", async () => {
  const other = await startJobs({ ...services, metrics: new Registry() }, pool, service.placements);
  onTestFinished(() => other.close());

  const runIds = await Promise.all(Array.from({ length: 6 }, () => queueReconciliation(db)));

  const runs = await Promise.all(runIds.map((runId) => finished(runId)));

  const spans = runs
    .map(({ started_at, finished_at }) => [started_at?.getTime() ?? 0, finished_at?.getTime() ?? 0] as const)
    .toSorted(([one], [other]) => one - other);
  for (const [n, [started]] of spans.entries()) {
    expect(started).toBeGreaterThanOrEqual(spans[n - 1]?.[1] ?? 0);
  }
  expect(runs.every(({ report }) => report.accounts === 1)).toBe(true);
});

it("reports its findings to the operators' command, and counts them", async () => {
  const drifted = await anAdThatDrifts((id) => stripe.subscriptions.cancel(id));

  const said = vi.spyOn(services.logger, "warn");

  const lines = await createCommands(db).reconcile();

  expect(lines[0]).toMatch(/^compared \d+ subscriptions and \d+ open checkouts in 1 accounts$/);
  expect(lines).toContain(`repaired 1 subscription: ${drifted.subscription.id}`);
  const repaired = expect.objectContaining({
    subscription: { count: 1, ids: [drifted.subscription.id] },
  });
  expect(said).toHaveBeenCalledWith(
    expect.objectContaining({ repaired }),
    "repaired drift from the payment processor",
  );
  const counted = await services.metrics.metrics();
  expect(counted).toMatch(/placard_reconciliation_repairs_total\{kind="subscription"\} [1-9]/);
  expect(counted).toMatch(/placard_reconciliation_finished_timestamp_seconds [1-9]/);
});

it("tells of a process that has just started when any process last finished a comparison", async () => {
  const sampleOf = async () => {
    const metrics = new Registry();
    createReconciliationMetrics({ db, metrics, logger: services.logger });
    return /^placard_reconciliation_finished_timestamp_seconds (.*)$/m.exec(await metrics.metrics())?.[1];
  };
  const run = await finished(await queueReconciliation(db));

  const afterRestart = await sampleOf();
  await db.updateTable("reconciliations").set({ finished_at: null }).execute();
  const beforeTheFirst = await sampleOf();

  expect(Number(afterRestart)).toBe((run.finished_at?.getTime() ?? 0) / 1000);
  expect(beforeTheFirst).toBeUndefined();
});

it("reads nothing of what an account sells elsewhere: invoices of other subscriptions, and of none", async () => {
  await anApprovedAd(service, publisher);
  const { payments } = services;
  const { listSubscriptions, listInvoices } = payments;
  vi.spyOn(payments, "listSubscriptions").mockImplementation(async function* (account) {
    for await (const ours of listSubscriptions(account)) {
      yield ours;
      yield { ...ours, id: "sub_elsewhere", metadata: {} };
    }
  });
  vi.spyOn(payments, "listInvoices").mockImplementation(async function* (query) {
    for await (const ours of listInvoices(query)) {
      yield ours;
      yield { ...ours, id: "in_elsewhere", subscriptionId: "sub_elsewhere", subscriptionMetadata: {} };
      yield { ...ours, id: "in_alone", subscriptionId: null };
    }
  });
  const read = vi.spyOn(payments, "readInvoice");

  await reconcile(services);

  const ids = read.mock.calls.map(([id]) => id);
  expect(ids).not.toContain("in_elsewhere");
  expect(ids).not.toContain("in_alone");
});

it("reports that no process starts the comparison", async () => {
  await pool.query(`
    create function hold_back() returns trigger language plpgsql as $$
      begin new.run_at := now() + interval '1 day'; return new; end $$;
    create trigger hold_back before insert on graphile_worker._private_jobs
      for each row execute function hold_back()`);

  const refused = createCommands(db, { startMs: 50, endMs: 1_000, everyMs: 10 }).reconcile();

  await expect(refused).rejects.toThrow("is the product running?");
});

it("looks at every open checkout in the end, though it looks at some only and nobody pays the oldest", async () => {
  const { prices } = await aTier(publisher);
  const begun = [];
  for (const _one of [1, 2]) begun.push(await aPaidCheckout(service, publisher, prices[0]?.id ?? ""));
  const looked = new Set<string>();

  for (let run = 0; run < 1_000 && begun.some(({ sessionId }) => !looked.has(sessionId)); run += 1) {
    for (const { id } of await listOpenCheckouts(db, 1)) looked.add(id);
  }

  expect([...looked]).toEqual(expect.arrayContaining(begun.map(({ sessionId }) => sessionId)));
});
