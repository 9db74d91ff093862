import { beforeEach, expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAY_HOURS, DAY_MS, paidAds, WEEKLY, WITHIN } from "../../tests/paid-ads.ts";
import { aBoughtAd, awaitsApproval, becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { processor } = service;
const { payments } = service.services;
const { subscriptionOf, paymentsOf, aWeeklyAd, act, jobsDone } = paidAds(service);

beforeEach(() => {
  vi.restoreAllMocks();
});

/** An ad that was sold by the week, and that waits ten days for its approval: only the first week is paid. */
async function aLateApproval() {
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, 10 * DAY_HOURS);
  await jobsDone();
  return { publisher, bought };
}

/** The advertiser cancels on the processor's page, while its next answer to the service is held. */
async function cancelsMeanwhile({ caller }: Publisher, bought: Bought) {
  const { stripe } = processor;
  const subscription = await subscriptionOf(bought);
  const { customer } = await stripe.subscriptions.retrieve(subscription);
  const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer) });
  const page = `${new URL(url).pathname}/subscriptions/${subscription}/cancel`;
  return async () => {
    const held = processor.holdNextAnswer();
    return async () => {
      await held.given;
      await caller.request("POST", page, { feedback: "too_expensive" });
      held.release();
    };
  };
}

it("charges no other period to an advertiser who cancels while a late approval is carried out", async () => {
  const { publisher, bought } = await aLateApproval();
  const hold = await cancelsMeanwhile(publisher, bought);

  const cancels = await hold();
  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  await cancels();

  await vi.waitFor(async () => {
    const { status } = await processor.stripe.subscriptions.retrieve(await subscriptionOf(bought));
    expect(status).toBe("canceled");
  }, WITHIN);
  expect(await paymentsOf(bought)).toBe(1);
});

it("gives the whole period to an advertiser who cancels at the moment in which it begins", async () => {
  const { publisher, bought } = await aLateApproval();
  const hold = await cancelsMeanwhile(publisher, bought);
  const { startSubscription } = payments;
  vi.spyOn(payments, "startSubscription").mockImplementation(async (...asked) => {
    const cancels = await hold();
    const [started] = await Promise.all([startSubscription(...asked), cancels()]);
    return started;
  });

  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  await vi.waitFor(async () => expect(await paymentsOf(bought)).toBe(2), WITHIN);
  await jobsDone();

  const { subscription } = await becomes(publisher, bought, "Active");
  const { currentPeriodStart: start, currentPeriodEnd: end, cancelAt } = subscription;
  expect(Date.parse(end ?? "") - Date.parse(start ?? "")).toBe(7 * DAY_MS);
  expect(cancelAt).toBe(end);
});

it("gives the whole rest of a period to an advertiser who cancels at the moment in which it continues", async () => {
  const { publisher, bought } = await aWeeklyAd();
  await act(publisher, bought, "pause");
  await clock.passes(service, 3 * DAY_HOURS);
  await jobsDone();
  const hold = await cancelsMeanwhile(publisher, bought);
  const { continueSubscription } = payments;
  vi.spyOn(payments, "continueSubscription").mockImplementation(async (...asked) => {
    const cancels = await hold();
    const [continued] = await Promise.all([continueSubscription(...asked), cancels()]);
    return continued;
  });

  await act(publisher, bought, "resume");
  await jobsDone();

  const { subscription } = await becomes(publisher, bought, "Active");
  expect(subscription.cancelAt).toBe(subscription.currentPeriodEnd);
  const [invoice] = await paidAds(service).invoicesOf(bought);
  expect(Date.parse(subscription.currentPeriodEnd ?? "")).toBeGreaterThan(
    ((invoice?.lines.data[0]?.period.end ?? 0) + 2 * 86_400) * 1000,
  );
});
