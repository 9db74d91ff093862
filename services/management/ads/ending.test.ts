import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { queueReconciliation } from "../billing/reconciliation/runs.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { startManagement } from "../tests/management.ts";
import { type Bought, paidAds, WEEKLY, WITHIN } from "../tests/paid-ads.ts";
import { becomes, CARDS } from "../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../tests/story.ts";

/*
 * What a publisher wants refunded when a subscription is ended, where the processor is not reached or answers too late.
 */

// Longer than a sync waits for a change that is under way.
const service = await startManagement({ unlimited: true, processorTimeoutMs: 4_000 });
const ads = paidAds(service);

async function aRunningAd(publisher: Publisher) {
  const bought = await ads.aRunningAd(publisher, CARDS.sound, WEEKLY);
  const { subscription } = await becomes(publisher, bought, "Active");
  await ads.jobsDone();
  return { ...bought, cancelPath: `${publisher.path}/subscriptions/${subscription.id}/cancel` };
}

/** Runs the comparison, which makes the refunds that are due. */
async function dueIsDone(): Promise<void> {
  await queueReconciliation(service.database.db);
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select from subscriptions where refund_due_since is not null",
    );
    expect(rows).toHaveLength(0);
  }, WITHIN);
  await ads.jobsDone();
}

async function refundedOf(bought: Bought): Promise<number> {
  const [paid] = await ads.invoicesOf(bought);
  const charge = await service.services.payments.readChargeOfInvoice(paid?.id ?? "", null);
  return charge?.amountRefunded ?? 0;
}

it("refunds nothing where a cancellation is repeated without the refund that failed before", async () => {
  const publisher = await aPublisher(service);
  const bought = await aRunningAd(publisher);
  await service.processor.while("gone", async () => {
    await publisher.caller.refused(502, "POST", bought.cancelPath, { refund: true });
  });

  expect((await publisher.caller.request("POST", bought.cancelPath, { refund: false })).status).toBe(200);
  await dueIsDone();

  expect(await ads.letter(bought.email, "has canceled")).toContain("isn't refunded automatically");
  expect(await refundedOf(bought)).toBe(0);
});

it("refunds nothing where the rejection of an ad that had ended is repeated without a refund", async () => {
  const publisher = await aPublisher(service);
  const bought = await aRunningAd(publisher);
  await service.processor.stripe.subscriptions.cancel(await ads.subscriptionOf(bought));
  await becomes(publisher, bought, "Canceled");
  await ads.jobsDone();
  await service.processor.while("gone", async () => {
    await publisher.caller.refused(502, "POST", `${bought.path}/reject`, { note: "No.", refund: true });
  });

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: false });
  await dueIsDone();

  expect(await refundedOf(bought)).toBe(0);
});

it("refunds nothing where a workspace is deleted without refunds after a cancellation with one has failed", async () => {
  const publisher = await aPublisher(service);
  const bought = await aRunningAd(publisher);
  await service.processor.while("gone", async () => {
    await publisher.caller.refused(502, "POST", bought.cancelPath, { refund: true });
  });

  const deletion = { name: publisher.workspace.name, refund: false };
  expect((await publisher.person.caller.request("DELETE", publisher.path, deletion)).status).toBe(200);
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query("select from workspaces where id = $1", [
      publisher.workspace.id,
    ]);
    expect(rows).toHaveLength(0);
  }, WITHIN);

  expect(await refundedOf(bought)).toBe(0);
});

it("says in the letter of a rejection that a refund is still to come", async () => {
  const publisher = await aPublisher(service);
  const bought = await aRunningAd(publisher);

  await service.processor.while("poor", async () => {
    await publisher.caller.request("POST", bought.cancelPath, { refund: true });
    await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: false });
  });

  expect(await ads.letter(bought.email, "rejected")).toContain("is refunding your payment");
});

it.each([
  [true, 1],
  [false, 0],
])("tells of an end whose answer came too late (refund: %s)", async (refund, refunds) => {
  const publisher = await aPublisher(service);
  const bought = await aRunningAd(publisher);
  const held = service.processor.holdNextAnswer();

  await publisher.caller.refused(502, "POST", bought.cancelPath, { note: "Sorry.", refund });
  held.release();
  await becomes(publisher, bought, "Canceled");
  await dueIsDone();

  expect(await ads.letter(bought.email, "has ended")).toContain("Sorry.");
  const told = (await mailsTo(service, bought.email)).map(({ subject }) => subject);
  expect(told.filter((subject) => subject.includes("refunded"))).toHaveLength(refunds);
});
