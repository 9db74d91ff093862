import { expect, it, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { advertiser } from "#libs/contract/advertisers.ts";
import { connection } from "#libs/contract/connect.ts";
import { dailyRevenue, revenue } from "#libs/contract/revenue.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { DAY_HOURS, DAY_MS, WITHIN } from "../tests/paid-ads.ts";
import { aBoughtAd, approveForCharging, becomes, CARDS, sandboxClock } from "../tests/sandbox-clock.ts";
import { aPaidCheckout, aPublisher, aTier, type Publisher } from "../tests/story.ts";

// The service's own clock stays on real time in this whole file: only the sandbox's goes forward.
const clock = sandboxClock();
const service = await startManagement({ unlimited: true, stats: "real" });
const { stripe } = service.processor;

/** With the hour for which the invoice of a renewal stays a draft. */
const MONTH = 31 * DAY_HOURS + 2;

async function advertiserOf({ caller, path }: Publisher, bought: { readonly path: string }) {
  const { subscription } = await caller.ok(ad, "GET", bought.path);
  return await caller.ok(advertiser, "GET", `${path}/advertisers/${subscription.advertiser.id}`);
}

async function totalsFor(publisher: Publisher, bought: { readonly path: string }) {
  return (await advertiserOf(publisher, bought)).totals;
}

/** Waits until this much was charged over the advertiser's life. */
async function hasCharged(publisher: Publisher, bought: { readonly path: string }, amount: number) {
  await vi.waitFor(
    async () => expect((await totalsFor(publisher, bought)).lifetimeAmount).toBe(amount),
    WITHIN,
  );
}

async function subscriptionOf({ sessionId }: { readonly sessionId: string }) {
  return String((await stripe.checkout.sessions.retrieve(sessionId)).subscription);
}

it("counts one payment once, however far the sandbox's clock was moved before it, and dates it by that clock", async () => {
  for (const _month of [1, 2, 3, 4, 5]) await clock.passes(service, MONTH);
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.sound);

  await hasCharged(publisher, bought, 4900);
  const { ads } = await advertiserOf(publisher, bought);
  const boughtAt = Date.parse(ads[0]?.subscription.createdAt ?? "");
  expect(Math.abs(boughtAt - clock.now())).toBeLessThan(60_000);
  const { processorTime } = await publisher.caller.ok(connection, "GET", `${publisher.path}/connect`);
  expect(Math.abs(Date.parse(processorTime) - clock.now())).toBeLessThan(60_000);
});

it("has charged three times after three periods, shows that in this month's revenue, and ends with the period", async () => {
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await approveForCharging(publisher, bought);
  for (const _month of [1, 2]) await clock.passes(service, MONTH);
  await hasCharged(publisher, bought, 3 * 4900);
  const { currencies } = await publisher.caller.ok(revenue, "GET", `${publisher.path}/revenue?months=4`);
  const today = new Date(clock.now()).toISOString().slice(0, 7);
  expect(currencies[0]?.totals).toMatchObject({ gross: 3 * 4900, invoices: 3 });
  expect(currencies[0]?.rows.at(-1)?.month).toBe(today);
  const days = await publisher.caller.ok(dailyRevenue, "GET", `${publisher.path}/revenue/daily?days=7`);
  expect(days.currencies[0]?.totals.gross).toBe(4900);

  await stripe.subscriptions.update(await subscriptionOf(bought), { cancel_at_period_end: true });
  const canceling = await vi.waitFor(async () => {
    const totals = await totalsFor(publisher, bought);
    expect(totals).toMatchObject({ canceling: true, churnedAt: null, activeSubscriptions: 1 });
    return totals;
  }, WITHIN);
  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  expect(canceling.cancelAt).toBe(subscription.currentPeriodEnd);
  expect(await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).toMatchObject({
    eligible: true,
    servingUntil: subscription.currentPeriodEnd,
  });

  await clock.passes(service, MONTH);
  await becomes(publisher, bought, "Canceled");
  expect(await totalsFor(publisher, bought)).toMatchObject({
    lifetimeAmount: 3 * 4900,
    churnedAt: subscription.currentPeriodEnd,
    activeSubscriptions: 0,
    nextRenewalAt: null,
  });
});

it("takes an ad off the air when the sandbox's clock reaches the end of its grace, and keeps it on until then", async () => {
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.failing);
  await approveForCharging(publisher, bought);
  await clock.passes(service, MONTH);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const left = Date.parse(subscription.graceEndsAt ?? "") - clock.now();
  expect(left).toBeGreaterThan(2 * DAY_MS);
  expect(left).toBeLessThan(3 * DAY_MS);
  const isServed = async () => {
    const snapshot = await service.placements.read(publisher.workspace.id);
    const served = snapshot?.ads.find(({ id }) => id === bought.id);
    return (served?.servingUntil ?? Number.POSITIVE_INFINITY) > Date.now();
  };
  expect(await isServed()).toBe(true);
  expect((await totalsFor(publisher, bought)).activeAds).toBe(1);

  await clock.passes(service, 3 * DAY_HOURS);

  await vi.waitFor(async () => expect(await isServed()).toBe(false), WITHIN);
  expect(await totalsFor(publisher, bought)).toMatchObject({ activeAds: 0, pastDueSubscriptions: 1 });
  await vi.waitFor(async () => {
    const subjects = (await service.readMails()).filter(({ to }) => to === bought.email);
    expect(subjects.map(({ subject }) => subject)).toContain(
      "Your ad on Example Weekly is paused: payment missing",
    );
  }, WITHIN);
});

it("reminds of a missing ad as soon as the sandbox's clock is three days after the purchase, not before", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const { email, path } = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const reminders = async () =>
    (await service.readMails()).filter(
      ({ to, subject }) => to === email && subject.endsWith("nothing is shown yet"),
    );
  await vi.waitFor(async () => {
    const { text } = await new ApiCaller(service.origin).request("GET", path);
    expect(JSON.parse(text).status).toBe("complete");
  }, WITHIN);

  await clock.passes(service, 2 * DAY_HOURS);
  expect(await reminders()).toEqual([]);
  await clock.passes(service, DAY_HOURS);
  await vi.waitFor(async () => expect(await reminders()).toHaveLength(1), WITHIN);
});
