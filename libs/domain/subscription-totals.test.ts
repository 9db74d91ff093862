import { expect, it } from "vitest";
import { processorTime } from "./moment.ts";
import type { BillingFacts } from "./subscription-billing.ts";
import { SubscriptionSums, type SubscriptionTotals } from "./subscription-totals.ts";

const at = (text: string) => Date.parse(`${text}T00:00:00.000Z`);
const NOW = processorTime(at("2026-11-21"));
const MONTHLY = { interval: "Month", intervalCount: 1, amount: 4900, currency: "usd" } as const;
const NONE = { subscriptions: 0, monthlyAmount: 0 };

function aSubscription(given: Partial<BillingFacts> = {}): BillingFacts {
  return {
    status: "Active",
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    cancellationFeedback: null,
    currentPeriodStart: at("2026-11-10"),
    currentPeriodEnd: at("2026-12-10"),
    trialEnd: null,
    graceEndsAt: null,
    awaitsCharge: false,
    heldUntil: null,
    awaitsApproval: false,
    paidAmount: null,
    chargedAmount: null,
    refundedAmount: 0,
    chargedSince: null,
    createdAt: at("2026-09-10"),
    price: MONTHLY,
    ...given,
  };
}

function totalsOf(...subscriptions: BillingFacts[]): readonly SubscriptionTotals[] {
  const sums = new SubscriptionSums(30, NOW);
  for (const one of subscriptions) sums.add(one, { tierId: "gold", hasApprovedAd: true });
  return sums.totals("usd");
}

const NOTHING = {
  currency: "usd",
  serving: NONE,
  begun: NONE,
  lapsed: NONE,
  churnRate: null,
  renewals: { subscriptions: 0, amount: 0 },
};

it("has the workspace's currency, all zero, where nothing was ever bought", () => {
  expect(totalsOf()).toEqual([NOTHING]);
  expect(totalsOf(aSubscription({ status: "IncompleteExpired" }))).toEqual([NOTHING]);
});

it("counts what is served by the month, and what renews in the next days at what it costs", () => {
  const weekly = aSubscription({
    price: { ...MONTHLY, interval: "Week", amount: 700 },
    currentPeriodStart: at("2026-11-18"),
    currentPeriodEnd: at("2026-11-25"),
  });
  const discounted = aSubscription({ paidAmount: 2450 });
  const yearly = aSubscription({
    price: { ...MONTHLY, interval: "Year", amount: 12_000 },
    currentPeriodStart: at("2026-03-01"),
    currentPeriodEnd: at("2027-03-01"),
  });
  const ending = aSubscription({ cancelAtPeriodEnd: true });

  expect(totalsOf(weekly, discounted, yearly, ending)).toEqual([
    {
      ...NOTHING,
      // 700 × 365.25 ÷ 7 ÷ 12, half of 4,900, a twelfth of 12,000, and 4,900 until it ends.
      serving: { subscriptions: 4, monthlyAmount: Math.round(3043.75 + 2450 + 1000 + 4900) },
      churnRate: 0,
      renewals: { subscriptions: 2, amount: 700 + 2450 },
    },
  ]);
});

it("has what was bought lately as new, and never as churn, even if it has lapsed again", () => {
  const gone = { status: "Canceled", createdAt: at("2026-11-01"), endedAt: at("2026-11-15") } as const;

  expect(totalsOf(aSubscription({ createdAt: at("2026-11-10") }), aSubscription(gone))).toEqual([
    {
      ...NOTHING,
      serving: { subscriptions: 1, monthlyAmount: 4900 },
      begun: { subscriptions: 2, monthlyAmount: 9800 },
      renewals: { subscriptions: 1, amount: 4900 },
    },
  ]);
});

it("takes for churn the part of those that were there before which has lapsed since", () => {
  const ended = (day: string) => aSubscription({ status: "Canceled", endedAt: at(day) });
  const isOver = aSubscription({ cancelAtPeriodEnd: true, currentPeriodEnd: at("2026-11-20") });

  const [totals] = totalsOf(
    ended("2026-10-01"),
    ended("2026-11-01"),
    isOver,
    aSubscription({ status: "Paused" }),
    aSubscription({ status: "PastDue" }),
    aSubscription(),
  );

  // The one that ended before does not matter; the paused and the unpaid one may come back.
  expect(totals?.lapsed).toEqual({ subscriptions: 2, monthlyAmount: 9800 });
  expect(totals?.churnRate).toBe(2 / 5);
  expect(totals?.serving).toEqual({ subscriptions: 1, monthlyAmount: 4900 });
});

it("expects the whole price at the end of a trial, which brings nothing until then", () => {
  const trial = aSubscription({
    status: "Trialing",
    paidAmount: 0,
    createdAt: at("2026-11-18"),
    trialEnd: at("2026-12-02"),
    currentPeriodStart: at("2026-11-18"),
    currentPeriodEnd: at("2026-12-02"),
  });

  expect(totalsOf(trial)).toEqual([
    {
      ...NOTHING,
      serving: { subscriptions: 1, monthlyAmount: 0 },
      begun: { subscriptions: 1, monthlyAmount: 0 },
      renewals: { subscriptions: 1, amount: 4900 },
    },
  ]);
});

it("adds no currencies up", () => {
  const inEuros = aSubscription({ price: { ...MONTHLY, amount: 3000, currency: "eur" } });

  expect(
    totalsOf(inEuros, aSubscription()).map(({ currency, serving }) => [currency, serving.monthlyAmount]),
  ).toEqual([
    ["usd", 4900],
    ["eur", 3000],
  ]);
});

it("adds up by tier what is on the air, what it brings, and the part of first places by weight", () => {
  const sums = new SubscriptionSums(30, NOW);
  const sell = (tierId: string, hasApprovedAd: boolean, given: Partial<BillingFacts> = {}) =>
    sums.add(aSubscription(given), { tierId, hasApprovedAd });
  sell("gold", true);
  sell("gold", true, { price: { ...MONTHLY, currency: "eur" } });
  sell("gold", false);
  sell("silver", true);
  sell("silver", true, { status: "Canceled" });
  const tier = (id: string, weight: number) => ({ id, name: id.toUpperCase(), weight });

  const found = sums.ofTiers([tier("gold", 3), tier("silver", 1), tier("bronze", 9)]);

  const of = (currency: string, subscriptions: number) => ({
    currency,
    subscriptions,
    monthlyAmount: subscriptions * 4900,
  });
  expect(found).toEqual([
    {
      tier: { id: "gold", name: "GOLD" },
      adsOnAir: 2,
      firstShare: 6 / 7,
      serving: [of("usd", 2), of("eur", 1)],
    },
    { tier: { id: "silver", name: "SILVER" }, adsOnAir: 1, firstShare: 1 / 7, serving: [of("usd", 1)] },
    { tier: { id: "bronze", name: "BRONZE" }, adsOnAir: 0, firstShare: 0, serving: [] },
  ]);
  expect(new SubscriptionSums(30, NOW).ofTiers([tier("gold", 3)])).toMatchObject([{ firstShare: null }]);
});
