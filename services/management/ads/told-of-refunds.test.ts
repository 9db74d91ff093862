import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../tests/management.ts";
import { type Bought, DAY_HOURS, paidAds, WITHIN } from "../tests/paid-ads.ts";
import { becomes, sandboxClock } from "../tests/sandbox-clock.ts";
import type { Publisher } from "../tests/story.ts";

/*
 * What refunds by hand, or an earlier end, leave to be refunded, and what both sides are told of it.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** Refunds a part of the newest payment in the processor's own dashboard, and lets the service learn of it. */
async function refundByHand(bought: Bought, amount: number): Promise<void> {
  const invoice = (await ads.invoicesOf(bought)).at(-1);
  const charge = await service.services.payments.readChargeOfInvoice(invoice?.id ?? "", null);
  await stripe.refunds.create({ charge: charge?.id ?? "", amount });
  await ads.letter(bought.email, `has refunded $${(amount / 100).toFixed(2)}`);
}

async function reject({ caller }: Publisher, { path }: Bought, refund: boolean): Promise<void> {
  await caller.ok(ad, "POST", `${path}/reject`, { note: "Not any more.", refund });
}

async function refundsOf(bought: Bought): Promise<number[]> {
  const { rows } = await service.database.pool.query(
    `select refunds.amount::float8 from refunds join charges using (provider_charge_id) join invoices on invoices.id = invoice_id
     join ads using (subscription_id) where ads.id = $1 order by refunded_at`,
    [bought.id],
  );
  return rows.map(({ amount }) => Number(amount));
}

it("counts what was refunded by hand in a pause towards the unused part at the end", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.jobsDone();
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  await refundByHand(bought, 5000);
  await stripe.subscriptions.cancel(await ads.subscriptionOf(bought));
  await becomes(publisher, bought, "Canceled");
  await ads.jobsDone();

  await reject(publisher, bought, true);

  expect(await refundsOf(bought)).toEqual([5000]);
  expect(await ads.letter(publisher.person.email, "subscription has ended")).not.toContain("unused");
});

it("does not tell again of a refund that an earlier cancellation has made", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.jobsDone();
  const { subscription } = await becomes(publisher, bought, "Active");
  const path = `${publisher.path}/subscriptions/${subscription.id}/cancel`;
  expect((await publisher.caller.request("POST", path, { refund: true })).status).toBe(200);
  const canceled = await ads.letter(bought.email, "has canceled your subscription");

  await reject(publisher, bought, false);

  expect(canceled).toMatch(/has refunded \$(49\.\d\d|50\.00) for the rest of the period/);
  const rejected = await ads.letter(bought.email, "was rejected");
  expect(rejected).toContain("You won't be charged again.");
  expect(rejected).not.toContain("refund");
});

it("speaks of no payment to be refunded where the newest was refunded in full", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 8 * DAY_HOURS);
  await vi.waitFor(async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "paid"]), WITHIN);
  await ads.jobsDone();
  await refundByHand(bought, 7000);

  await reject(publisher, bought, false);

  expect(await ads.letter(bought.email, "was rejected")).not.toContain("refund");
});
