import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { queueReconciliation } from "../billing/reconciliation/runs.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { enqueue } from "../queue/enqueue.ts";
import { auditTrail } from "../tests/audit-trail.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { processor, database } = service;
const publisher = await aPublisher(service);
const { caller } = publisher;

type SoldAd = Awaited<ReturnType<typeof aPendingAd>>;

function reject(sold: SoldAd) {
  return caller.ok(ad, "POST", `${sold.path}/reject`, { note: "Not for our readers.", refund: true });
}

async function refundDueSince(sold: SoldAd) {
  return (await caller.ok(ad, "GET", sold.path)).subscription.refundDueSince;
}

async function ledgerOf(sold: SoldAd) {
  await webhooksApplied(service);
  const { subscription } = await caller.ok(ad, "GET", sold.path);
  const path = `${publisher.path}/invoices?subscriptionId=${subscription.id}`;
  const [paid] = (await caller.ok(pageOf(invoice), "GET", path)).items;
  if (paid === undefined) throw new Error("the subscription has no invoice");
  return paid;
}

/** Lets the jobs that make due refunds run now, as after their pause. */
async function retryRefunds(): Promise<void> {
  await database.pool.query(
    "select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) from graphile_worker.jobs where task_identifier = 'refund-due'",
  );
}

/** The refunds are refused until a job has tried to make one. */
async function whilePoor<T>(act: () => Promise<T>): Promise<T> {
  return await processor.while("poor", async () => {
    const done = await act();
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query(
          "select count(*)::int as failed from graphile_worker.jobs where task_identifier = 'refund-due' and attempts > 0 and locked_at is null",
        );
        expect(rows[0].failed).toBe(1);
      },
      { timeout: 20_000, interval: 20 },
    );
    return done;
  });
}

async function settled(sold: SoldAd): Promise<void> {
  await vi.waitFor(async () => expect(await refundDueSince(sold)).toBeNull(), {
    timeout: 20_000,
    interval: 20,
  });
}

async function subjectsTo({ checkout: { email } }: SoldAd) {
  return (await mailsTo(service, email)).filter(({ subject }) => /rejected|refunded|ended/.test(subject));
}

it("rejects an ad whose refund the processor refuses, says that it is due, and makes it once it can", async () => {
  const sold = await aPendingAd(service, publisher);

  const rejected = await whilePoor(() => reject(sold));

  expect(rejected).toMatchObject({ status: "Rejected", subscription: { status: "Canceled" } });
  expect(rejected.subscription.refundDueSince).not.toBeNull();
  expect((await ledgerOf(sold)).amountRefunded).toBe(0);

  await retryRefunds();
  await settled(sold);

  const paid = await ledgerOf(sold);
  expect(paid.amountRefunded).toBe(4900);
  const mails = await subjectsTo(sold);
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Your ad was rejected: Example Coffee",
    "Example Weekly has refunded $49.00",
  ]);
  expect(mails[0]?.text).toContain("Example Weekly is refunding your payment.");
  const refunds = (await auditTrail(service, paid.id)).filter(({ action }) => action === "invoice.refund");
  expect(refunds).toHaveLength(1);
});

it("is queued again by the comparison with the processor when its job was lost", async () => {
  const sold = await aPendingAd(service, publisher);
  await whilePoor(() => reject(sold));
  await database.pool.query(
    "select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = 'refund-due'",
  );

  await queueReconciliation(database.db);
  await settled(sold);

  expect((await ledgerOf(sold)).amountRefunded).toBe(4900);
});

it("refunds the same time once where somebody has refunded it meanwhile, and a repeated job refunds nothing", async () => {
  const sold = await anApprovedAd(service, publisher);
  const rejected = await whilePoor(() => reject(sold));
  const { id } = await ledgerOf(sold);
  await caller.ok(invoice, "POST", `${publisher.path}/invoices/${id}/refunds`, { amount: 4000 });

  await retryRefunds();
  await settled(sold);
  await enqueue(database.db, "refund-due", { subscriptionId: rejected.subscription.id });

  // Seconds of the period have passed before the rejection: the rest of it is a little less than everything.
  const { amountRefunded } = await ledgerOf(sold);
  expect(amountRefunded).toBeGreaterThan(4890);
  expect(amountRefunded).toBeLessThanOrEqual(4900);
});

it("tells the publisher once of a refund that is still due after a day, whatever is turned off, and of none that was made", async () => {
  const silent = { mails: { subscriptionCanceled: false, paymentFailed: false } };
  await caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, silent);
  const made = await aPendingAd(service, publisher);
  await whilePoor(() => reject(made));
  await retryRefunds();
  await settled(made);
  const due = await aPendingAd(service, publisher);
  await whilePoor(() => reject(due));

  const { rows } = await database.pool.query(
    "select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()), min(run_at) as told_at from graphile_worker.jobs where task_identifier = 'refund-overdue'",
  );

  expect((rows[0].told_at.getTime() - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  await vi.waitFor(
    async () => {
      const told = (await service.readMails()).filter(({ subject }) => subject.includes("still due"));
      expect(told.map(({ to, subject }) => [to, subject])).toEqual([
        [publisher.person.email, "A refund is still due: Example Coffee"],
      ]);
      const left = await database.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'refund-overdue'",
      );
      expect(left.rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 50 },
  );
});
