import { expect, it, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { formats } from "../../mail/formats.ts";
import { openPage } from "../../selling/tests/pages.ts";
import { pathOf } from "../../selling/tests/states.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAILY, DAY_HOURS, DAY_MS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { approveForCharging, becomes, CARDS, openCheckout, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPaidCheckout, aPublisher, aTier, type Publisher } from "../../tests/story.ts";
import { queueReconciliation } from "../reconciliation/runs.ts";

/*
 * Time that is paid for, where a publisher changes the grace midway or pauses at the processor.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

it.each([0, 3])("gives no day away where a grace is cut short to %i days in its middle", async (days) => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const start = Date.parse(subscription.currentPeriodStart ?? "");
  await clock.passes(service, 4 * DAY_HOURS);
  await ads.isOnAir(publisher, bought, true);
  const offAt = clock.now();

  await ads.graceOf(publisher, days);
  await ads.isStopped(bought, "unpaid");
  await ads.isOnAir(publisher, bought, false);
  await clock.passes(service, 2 * DAY_HOURS);
  const paidAt = clock.now();
  await ads.payOpenInvoice(publisher, bought);

  const paid = await becomes(publisher, bought, "Active");
  const end = Date.parse(paid.subscription.currentPeriodEnd ?? "");
  expect((offAt - start + end - paidAt) / DAY_MS).toBeCloseTo(7, 1);
});

it("gives no day away where a grace is cut twice before its end is written down", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await clock.passes(service, 3 * DAY_HOURS);
  await ads.jobsDone();
  const offAt = clock.now();

  await ads.graceOf(publisher, 1);
  await ads.graceOf(publisher, 0);
  await ads.isStopped(bought, "unpaid");

  const { subscription } = await becomes(publisher, bought, "PastDue");
  expect((Date.parse(subscription.stoppedAt ?? "") - offAt) / DAY_MS).toBeCloseTo(0, 1);
});

it("brings no grace back that has ended while the processor was away", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 2);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const processor = vi.spyOn(service.services.payments, "stopSubscription");
  processor.mockRejectedValue(new PaymentsError("PROCESSOR_FAILED", "It is away.", true));
  await clock.passes(service, 3 * DAY_HOURS);
  await ads.isOnAir(publisher, bought, false);

  await ads.graceOf(publisher, 6);
  await ads.isOnAir(publisher, bought, false);
  processor.mockRestore();

  const after = await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`);
  expect([after.eligible, after.graceEndsAt]).toEqual([false, subscription.graceEndsAt]);
});

it("moves a stopped period by all its time off the air, though its payment is learned of days later", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();
  await ads.withoutWebhooks(async () => {
    await ads.payOpenInvoice(publisher, bought);
    await clock.passes(service, 2 * DAY_HOURS);
  });

  await queueReconciliation(service.database.db);

  const paid = await becomes(publisher, bought, "Active");
  const onAir =
    Date.parse(subscription.graceEndsAt ?? "") - Date.parse(subscription.currentPeriodStart ?? "");
  const end = Date.parse(paid.subscription.currentPeriodEnd ?? "");
  expect((onAir + end - clock.now()) / DAY_MS).toBeCloseTo(7, 1);
});

it("refunds a payment of a stopped period that was made just before a planned end, and that nobody heard of in time", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  const id = await ads.subscriptionOf(bought);
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await ads.jobsDone();
  const { items } = await stripe.subscriptions.retrieve(id);
  const end = items.data[0]?.current_period_end ?? 0;
  await clock.passes(service, Math.floor(end - clock.now() / 1000 - 1_800) / 3_600);
  await ads.withoutWebhooks(async () => {
    await ads.payOpenInvoice(publisher, bought);
    await clock.passes(service, 1);
  });

  await queueReconciliation(service.database.db);

  await becomes(publisher, bought, "Canceled");
  await vi.waitFor(async () => {
    const { data } = await stripe.refunds.list({ limit: 1 });
    expect((data[0]?.amount ?? 0) / 7_000).toBeCloseTo(6 / 7, 1);
  }, WITHIN);
});

it("refunds the rest of a stopped period once, though a rejection's refund of it is still due when its payment is learned of", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 4);
  await clock.passes(service, 4 * DAY_HOURS + 6);
  await ads.isStopped(bought, "unpaid");
  await ads.withoutWebhooks(async () => await ads.payOpenInvoice(publisher, bought));
  const { payments } = service.services;
  const refundCharge = payments.refundCharge.bind(payments);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let calls = 0;
  const spied = vi.spyOn(payments, "refundCharge").mockImplementation(async (...wanted) => {
    calls += 1;
    if (calls === 1) throw new PaymentsError("PROCESSOR_FAILED", "away", true);
    if (calls === 2) await held;
    return await refundCharge(...wanted);
  });

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: true });
  // The job that settles the end tries while the refund is being made.
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select count(*)::int as failed from graphile_worker.jobs where task_identifier = 'settle-charging' and attempts > 0 and locked_at is null",
    );
    expect(calls > 2 || rows[0].failed > 0).toBe(true);
  }, WITHIN);
  letGo();
  await ads.jobsDone();

  const paid = (await ads.invoicesOf(bought)).at(-1);
  const charge = await payments.readChargeOfInvoice(paid?.id ?? "", null);
  expect((charge?.amountRefunded ?? 0) / 7_000).toBeCloseTo(3 / 7, 1);
  expect(charge?.refunds).toHaveLength(1);
  spied.mockRestore();
});

it("refunds for the rest of a period what it cost, though its charge settled an earlier one that was too small", async () => {
  const publisher = await aPublisher(service);
  const small = { initialPrices: [{ amount: 50, intervalCount: 1, interval: "Day", currency: "usd" }] };
  const { sessionId } = await openCheckout(service, publisher, small);
  const payer = { email: "carried@example.com", name: "Example Coffee", promotionCode: "FOREVER10" };
  await publisher.caller.request("POST", `/sandbox/checkout/${sessionId}/complete`, payer);
  const submission = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
  const path = `/v1/checkout-sessions/${sessionId}/ad`;
  const { id } = await publisher.caller.ok(submittedAd, "POST", path, submission);
  const bought = { id, sessionId, email: payer.email, path: `${publisher.path}/ads/${id}` };
  await approveForCharging(publisher, bought);
  await clock.passes(service, DAY_HOURS + 2);
  await ads.jobsDone();

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: true });

  const charged = (await ads.invoicesOf(bought)).map(({ total, amount_paid: paid }) => [total, paid]);
  expect(charged).toEqual([
    [45, 0],
    [45, 90],
  ]);
  const { data } = await stripe.refunds.list({ limit: 1 });
  expect(data.map(({ amount }) => amount)).toEqual([41]);
});

it("ends a pause that was made at the processor when it ends there by itself", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const before = await becomes(publisher, bought, "Active");
  const id = await ads.subscriptionOf(bought);
  await clock.passes(service, DAY_HOURS);
  const resumes_at = Math.floor(clock.now() / 1000) + 2 * 86_400;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: "void", resumes_at } });
  await becomes(publisher, bought, "Paused");
  await vi.waitFor(async () => {
    expect((await stripe.subscriptions.retrieve(id)).metadata.stop).toMatch(/^paused /);
  }, WITHIN);
  await ads.jobsDone();

  await clock.passes(service, 2 * DAY_HOURS + 1);

  const { subscription } = await becomes(publisher, bought, "Active");
  const end = Date.parse(before.subscription.currentPeriodEnd ?? "");
  expect((Date.parse(subscription.currentPeriodEnd ?? "") - end) / DAY_MS).toBeCloseTo(2, 1);
});

/** Waits until the page of the purchase says that. */
async function pageSays(publisher: Publisher, bought: Bought, sentence: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await openPage(service, pathOf(publisher, bought))).text).toContain(sentence);
  }, WITHIN);
}

/** Pauses at the processor, and lets the service learn of it `days` later. */
async function pauseUnseen(bought: Bought, days: number): Promise<void> {
  const id = await ads.subscriptionOf(bought);
  await service.processor.while("gone", async () => {
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    await clock.passes(service, days * DAY_HOURS);
  });
  await queueReconciliation(service.database.db);
}

it("promises no rest of a period that is void through a pause, and tells that a new one begins", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 5 * DAY_HOURS);
  await pauseUnseen(bought, 5);
  await becomes(publisher, bought, "Paused");
  await ads.jobsDone();
  await pageSays(publisher, bought, "A new billing period begins then.");

  await ads.act(publisher, bought, "resume");

  expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "paid"]);
  expect(await ads.letter(bought.email, "is paused")).toContain("A new billing period begins then.");
  const resumed = await ads.letter(bought.email, "live again");
  expect(resumed).toContain("A new billing period has begun ($70.00).");
  expect(resumed).not.toContain("has moved");
});

it.each([
  [false, "The payment that was due is made ($70.00)."],
  [true, "A new billing period has begun ($70.00)."],
])("says in a pause that its payment is still to be made (voided meanwhile: %s)", async (isVoided, told) => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  const tried = "The payment that's due is made then.";
  expect(await ads.letter(bought.email, "is paused")).toContain(tried);
  await pageSays(publisher, bought, tried);
  const [, owed] = await ads.invoicesOf(bought);
  if (isVoided) {
    await stripe.invoices.voidInvoice(owed?.id ?? "");
    await pageSays(publisher, bought, "A new billing period begins then.");
  }
  await ads.changeCard(publisher, bought);

  await ads.act(publisher, bought, "resume");

  expect(await ads.letter(bought.email, "live again")).toContain(told);
});

it("says before a payment that comes after all of its period that a new one is charged as well", async () => {
  const publisher = await aPublisher(service);
  const bought = await ads.aRunningAd(publisher, CARDS.failing, DAILY);
  await clock.passes(service, DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await ads.jobsDone();
  await clock.passes(service, DAY_HOURS - 2 + 0.1);
  await ads.isStopped(bought, "unpaid");

  const anew = "A new billing period starts then, and is charged as well.";
  await pageSays(publisher, bought, `Your ad is shown again once you've paid. ${anew}`);
  expect(await ads.letter(bought.email, "payment missing")).toContain(`once you've paid. ${anew}`);
});

it("promises nothing for the payment of a period that the grace has taken whole, once it is canceled", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 7);
  await clock.passes(service, 7 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();

  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });

  const canceled = await ads.letter(bought.email, "is canceled");
  const past =
    "Your last payment failed. The payment is still due, for days on which your ad was shown without it.";
  expect(canceled).toContain(past);
  expect(canceled).not.toContain("shown again");
  await pageSays(publisher, bought, past);
});

it("says of a canceled subscription that is paused and owed what its resumption charges", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();

  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });

  const owed = "If your ad is resumed before that, the payment that's due is made,";
  expect(await ads.letter(bought.email, "is canceled")).toContain(owed);
  await pageSays(publisher, bought, owed);
});

it("tells of no charge in the pause of an ad that costs nothing", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher, {
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
  const { id } = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
  const bought = { ...checkout, id, path: `${publisher.path}/ads/${id}` };
  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);

  await ads.act(publisher, bought, "pause");
  await pageSays(publisher, bought, "has paused your ad. It's shown again once it's resumed.");
  await ads.act(publisher, bought, "resume");

  expect(await ads.letter(bought.email, "live again")).not.toMatch(/charged|pay|billing/);
  expect(await ads.letter(bought.email, "is paused")).not.toMatch(/charged|paid/);
});

it("says in a pause of a canceled subscription when it ends, and after it by when that has moved", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });
  const canceled = await ads.letter(bought.email, "is canceled");
  const { subscription } = await becomes(publisher, bought, "Active");
  const end = Date.parse(subscription.currentPeriodEnd ?? "");

  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  const paused = `Your subscription ends on ${formats.day(new Date(end))}. If your ad is resumed before that,`;
  await pageSays(publisher, bought, paused);
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "resume");

  expect(canceled).toContain("You won't be charged for another period.");
  expect(await ads.letter(bought.email, "is paused")).toContain(paused);
  const resumed = await ads.letter(bought.email, "live again");
  expect(resumed).toContain(`Your subscription now ends on ${formats.day(new Date(end + 2 * DAY_MS))}.`);
  expect(resumed).not.toContain("billing date");
});

it("says when a canceled subscription ends whose failed payment went through", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });
  await ads.letter(bought.email, "is canceled");

  await ads.payOpenInvoice(publisher, bought);

  const paid = await ads.letter(bought.email, "went through");
  const { subscription } = await becomes(publisher, bought, "Active");
  const end = new Date(subscription.currentPeriodEnd ?? "");
  expect(paid).toContain(`Your ad keeps running until ${formats.day(end)}.`);
  expect(paid).not.toContain("continues");
});

it("charges nothing for a grace that ran into a pause that the service learned of later", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock);
  await pauseUnseen(bought, 7);
  await becomes(publisher, bought, "Paused");

  await vi.waitFor(
    async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "void"]),
    WITHIN,
  );
  await ads.jobsDone();
  await ads.changeCard(publisher, bought);
  await clock.passes(service, 3 * DAY_HOURS);
  await ads.act(publisher, bought, "resume");

  expect(await ads.paymentsOf(bought)).toBe(2);
});
