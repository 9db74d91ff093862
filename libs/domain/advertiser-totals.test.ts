import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advertiserTotals, type SubscriptionWithAd } from "./advertiser-totals.ts";
import { processorTime } from "./moment.ts";
import { INTERVALS } from "./period.ts";
import { SUBSCRIPTION_STATUSES } from "./subscription.ts";

const at = (text: string) => Date.parse(`${text}T00:00:00.000Z`);
const NOW = at("2026-11-21");
const PRICE = { interval: "Month", intervalCount: 1, amount: 4900, currency: "usd" } as const;

function aSubscription(given: Partial<SubscriptionWithAd> = {}): SubscriptionWithAd {
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
    price: PRICE,
    ad: { status: "Approved", impressions: 0, clicks: 0 },
    ...given,
  };
}

function totalsOf(...subscriptions: SubscriptionWithAd[]) {
  return advertiserTotals(subscriptions, "usd", processorTime(NOW));
}

it("is all zero for an advertiser who has bought nothing", () => {
  expect(totalsOf()).toEqual({
    ads: 0,
    activeAds: 0,
    activeSubscriptions: 0,
    impressions: 0,
    clicks: 0,
    monthlyAmount: 0,
    lifetimeAmount: 0,
    refundedAmount: 0,
    currency: "usd",
    nextRenewalAt: null,
    churnedAt: null,
    canceling: false,
    cancelAt: null,
    cancellationSummary: null,
    pastDueSubscriptions: 0,
    pausedSubscriptions: 0,
  });
});

it("counts ads and subscriptions in mixed states, and everything that was ever seen or clicked", () => {
  const totals = totalsOf(
    aSubscription({ ad: { status: "Approved", impressions: 1_000, clicks: 10 } }),
    aSubscription({ ad: { status: "Pending", impressions: 0, clicks: 0 } }),
    aSubscription({ ad: null, status: "Trialing" }),
    aSubscription({ ad: { status: "Approved", impressions: 500, clicks: 5 }, status: "Paused" }),
    aSubscription({ ad: { status: "Approved", impressions: 70, clicks: 1 }, status: "PastDue" }),
    aSubscription({
      ad: { status: "Rejected", impressions: 30, clicks: 0 },
      status: "Canceled",
      canceledAt: at("2026-10-01"),
    }),
  );

  expect(totals).toMatchObject({
    ads: 5,
    activeAds: 1,
    activeSubscriptions: 3,
    impressions: 1_600,
    clicks: 16,
    churnedAt: null,
  });
});

describe("monthly amount", () => {
  it.each([
    [{ ...PRICE, interval: "Month", intervalCount: 1, amount: 4900 }, 4900],
    [{ ...PRICE, interval: "Month", intervalCount: 3, amount: 12_000 }, 4000],
    [{ ...PRICE, interval: "Year", intervalCount: 1, amount: 12_000 }, 1000],
    [{ ...PRICE, interval: "Year", intervalCount: 2, amount: 12_000 }, 500],
    // 365.25 / 12 / 7 weeks of 700, and 365.25 / 12 days of 100.
    [{ ...PRICE, interval: "Week", intervalCount: 1, amount: 700 }, 3044],
    [{ ...PRICE, interval: "Day", intervalCount: 1, amount: 100 }, 3044],
    [{ ...PRICE, interval: "Day", intervalCount: 10, amount: 1000 }, 3044],
    [{ ...PRICE, amount: 0 }, 0],
  ] as const)("brings %j to an average month", (price, monthly) => {
    expect(totalsOf(aSubscription({ price })).monthlyAmount).toBe(monthly);
  });

  it("takes what is really paid where it is known, a full discount included", () => {
    const totals = totalsOf(
      aSubscription({ paidAmount: 2_450 }),
      aSubscription({ paidAmount: 0 }),
      aSubscription({ paidAmount: null }),
    );

    expect(totals.monthlyAmount).toBe(2_450 + 0 + 4_900);
  });

  it("counts once what was paid for the two renewals that make a period", () => {
    const price = { ...PRICE, interval: "Week", intervalCount: 1, amount: 700 } as const;
    const twoWeeks = { currentPeriodStart: at("2026-11-26"), currentPeriodEnd: at("2026-12-10") };

    expect(totalsOf(aSubscription({ price, paidAmount: 1400, ...twoWeeks })).monthlyAmount).toBe(3044);
  });

  it("is rounded once, after the sum", () => {
    const price = { ...PRICE, interval: "Year", amount: 5 } as const;

    // Each is 5/12, which alone would round to 0; three are 1.25.
    expect(
      totalsOf(aSubscription({ price }), aSubscription({ price }), aSubscription({ price })).monthlyAmount,
    ).toBe(1);
  });

  it("leaves out what is not serving", () => {
    const ended = { cancelAtPeriodEnd: true, currentPeriodEnd: at("2026-11-20") };

    const totals = totalsOf(
      aSubscription({ status: "Paused" }),
      aSubscription({ status: "Unpaid" }),
      aSubscription(ended),
    );

    expect(totals).toMatchObject({ monthlyAmount: 0, activeSubscriptions: 0 });
  });

  it("stays a number that JSON carries exactly", () => {
    const price = { ...PRICE, interval: "Day", amount: Number.MAX_SAFE_INTEGER } as const;

    expect(totalsOf(aSubscription({ price })).monthlyAmount).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("lifetime amount", () => {
  it.each<[string, Partial<SubscriptionWithAd>, number]>([
    ["what the processor has charged, where known", { chargedAmount: 12_345 }, 12_345],
    ["without what was refunded", { chargedAmount: 12_345, refundedAmount: 2_345 }, 10_000],
    ["nothing where every invoice is still owed", { chargedAmount: 0, chargedSince: at("2026-09-10") }, 0],
    [
      "the ledger's figure alone where it goes back to the beginning",
      { chargedAmount: 9_000, chargedSince: at("2026-09-10") + 60_000 },
      9_000,
    ],
    [
      "the periods before the ledger's first invoice at their price",
      { paidAmount: 1_000, chargedAmount: 4_900, chargedSince: at("2026-11-10") },
      2 * 1_000 + 4_900,
    ],
    [
      "nothing for a trial that the ledger begins with",
      { trialEnd: at("2026-10-10"), chargedAmount: 4_900, chargedSince: at("2026-09-10") },
      4_900,
    ],
    ["three periods begun since September", {}, 3 * 4_900],
    ["the same by the calendar where the period is unknown", { currentPeriodStart: null }, 3 * 4_900],
    ["at the discounted price", { paidAmount: 1_000 }, 3_000],
    ["two while the third is still owed", { status: "PastDue" }, 2 * 4_900],
    ["nothing within the trial", { status: "Trialing", trialEnd: at("2026-12-10") }, 0],
    ["periods after the trial alone", { trialEnd: at("2026-10-10") }, 2 * 4_900],
    [
      "nothing where it was canceled within the trial",
      { status: "Canceled", trialEnd: at("2026-12-10"), canceledAt: at("2026-11-15") },
      0,
    ],
    ["nothing where the first payment failed", { status: "IncompleteExpired" }, 0],
    ["nothing while the first payment is awaited", { status: "Incomplete" }, 0],
    [
      "periods up to the cancellation",
      {
        status: "Canceled",
        canceledAt: at("2026-10-20"),
        currentPeriodStart: null,
        currentPeriodEnd: null,
      },
      2 * 4_900,
    ],
    [
      "31-day and 28-day months as whole ones",
      { createdAt: at("2025-01-31"), currentPeriodStart: at("2026-02-28") },
      14 * 4_900,
    ],
    [
      "years",
      {
        price: { ...PRICE, interval: "Year", amount: 50_000 },
        createdAt: at("2024-02-29"),
        currentPeriodStart: at("2026-02-28"),
      },
      150_000,
    ],
  ])("is %s", (_what, given, expected) => {
    expect(totalsOf(aSubscription(given)).lifetimeAmount).toBe(expected);
  });

  it("sums every subscription, lapsed ones too", () => {
    const totals = totalsOf(
      aSubscription({ chargedAmount: 100 }),
      aSubscription({ chargedAmount: 23, status: "Canceled", canceledAt: at("2026-10-01") }),
    );

    expect(totals.lifetimeAmount).toBe(123);
  });
});

describe("currency", () => {
  const inEuros = aSubscription({
    price: { ...PRICE, currency: "eur", amount: 1_000 },
    chargedAmount: 1_000,
    createdAt: at("2026-01-01"),
  });
  const inYen = aSubscription({
    price: { ...PRICE, currency: "jpy", amount: 500 },
    chargedAmount: 500,
    createdAt: at("2026-02-01"),
  });

  it("is the workspace's when any subscription bills in it, and only that currency is summed", () => {
    const lapsed = aSubscription({ status: "Canceled", canceledAt: at("2026-01-01"), chargedAmount: 4_900 });

    const totals = totalsOf(inYen, inEuros, lapsed);

    expect(totals).toMatchObject({
      currency: "usd",
      monthlyAmount: 0,
      lifetimeAmount: 4_900,
      activeSubscriptions: 2,
    });
  });

  it("is else the newest subscription's, in whatever order they come", () => {
    const expected = { currency: "jpy", monthlyAmount: 500, lifetimeAmount: 500 };

    expect(totalsOf(inEuros, inYen)).toMatchObject(expected);
    expect(totalsOf(inYen, inEuros)).toMatchObject(expected);
  });
});

describe("next renewal", () => {
  it("is the soonest of the serving subscriptions that will renew, free ones included", () => {
    const totals = totalsOf(
      aSubscription({ currentPeriodEnd: at("2026-12-20") }),
      aSubscription({ currentPeriodEnd: at("2026-12-15"), price: { ...PRICE, amount: 0 } }),
      aSubscription({ currentPeriodEnd: at("2026-12-01"), status: "Paused" }),
      aSubscription({ currentPeriodEnd: at("2026-12-02"), cancelAtPeriodEnd: true }),
      aSubscription({ currentPeriodEnd: at("2026-12-03"), cancelAt: at("2026-12-03") }),
      aSubscription({ currentPeriodEnd: null }),
    );

    expect(totals.nextRenewalAt).toBe(at("2026-12-15"));
  });

  it("comes once more before a cancellation that is planned for later", () => {
    const totals = totalsOf(aSubscription({ cancelAt: at("2027-03-01") }));

    expect(totals.nextRenewalAt).toBe(at("2026-12-10"));
  });

  it("is never in the past, though the processor's word on the new period is still awaited", () => {
    expect(totalsOf(aSubscription({ currentPeriodEnd: at("2026-11-20") })).nextRenewalAt).toBeNull();
  });
});

describe("cancellation", () => {
  it("names the end and the reason of the only subscription", () => {
    const totals = totalsOf(
      aSubscription({ cancelAtPeriodEnd: true, cancellationFeedback: "too_expensive" }),
    );

    expect(totals).toMatchObject({
      canceling: true,
      cancelAt: at("2026-12-10"),
      cancellationSummary: "The subscription ends on 10 December 2026 (too expensive).",
      nextRenewalAt: null,
      churnedAt: null,
    });
  });

  it("tells how many of how many end, and the soonest end", () => {
    const one = aSubscription({ cancelAt: at("2027-01-05"), cancellationFeedback: "other" });
    const other = aSubscription({ cancelAtPeriodEnd: true });

    expect(totalsOf(one, aSubscription()).cancellationSummary).toBe(
      "1 of 2 active subscriptions ends on 5 January 2027.",
    );
    expect(totalsOf(one, other, aSubscription()).cancellationSummary).toBe(
      "2 of 3 active subscriptions end, the first on 10 December 2026.",
    );
    expect(totalsOf(one, other)).toMatchObject({
      cancelAt: at("2026-12-10"),
      cancellationSummary: "All 2 active subscriptions end, the first on 10 December 2026.",
    });
  });

  it("does not concern what has stopped already", () => {
    const totals = totalsOf(
      aSubscription({ status: "Canceled", cancelAt: at("2026-12-10"), canceledAt: at("2026-11-01") }),
      aSubscription({ cancelAt: at("2026-11-20") }),
    );

    expect(totals).toMatchObject({ canceling: false, cancelAt: null, cancellationSummary: null });
  });
});

describe("churn", () => {
  const canceled = aSubscription({ status: "Canceled", canceledAt: at("2026-10-05") });

  it("is the last lapse once all have lapsed, an ended period included", () => {
    const ended = aSubscription({ cancelAtPeriodEnd: true, currentPeriodEnd: at("2026-11-18") });

    expect(totalsOf(canceled, ended).churnedAt).toBe(at("2026-11-18"));
    expect(totalsOf(canceled).churnedAt).toBe(at("2026-10-05"));
  });

  it("comes at the end of what was paid for, not when the advertiser gave notice", () => {
    const gaveNotice = { canceledAt: at("2026-10-05"), cancelAt: at("2026-11-10") };

    expect(totalsOf(aSubscription({ status: "Canceled", ...gaveNotice })).churnedAt).toBe(at("2026-11-10"));
  });

  it.each(["Active", "Trialing", "PastDue", "Unpaid", "Paused", "Incomplete"] as const)(
    "has not come while another is %s",
    (status) => {
      expect(totalsOf(canceled, aSubscription({ status })).churnedAt).toBeNull();
    },
  );

  it("is neither caused nor put off by a purchase that never went through", () => {
    const abandoned = aSubscription({ status: "IncompleteExpired" });

    expect(totalsOf(abandoned).churnedAt).toBeNull();
    expect(totalsOf(canceled, abandoned).churnedAt).toBe(at("2026-10-05"));
  });
});

it("gives whole, safe, non-negative figures that fit each other for any mix of subscriptions", () => {
  const time = fc.integer({ min: at("2020-01-01"), max: at("2030-01-01") });
  const amount = fc.maxSafeNat();
  const subscription = fc.record({
    status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
    cancelAtPeriodEnd: fc.boolean(),
    cancelAt: fc.option(time),
    canceledAt: fc.option(time),
    endedAt: fc.option(time),
    cancellationFeedback: fc.option(fc.constantFrom("unused", "other", "")),
    currentPeriodStart: fc.option(time),
    currentPeriodEnd: fc.option(time),
    trialEnd: fc.option(time),
    graceEndsAt: fc.option(time),
    awaitsCharge: fc.boolean(),
    heldUntil: fc.option(time),
    awaitsApproval: fc.boolean(),
    paidAmount: fc.option(amount),
    chargedAmount: fc.option(amount),
    refundedAmount: amount,
    chargedSince: fc.option(time),
    createdAt: time,
    price: fc.record({
      interval: fc.constantFrom(...INTERVALS),
      intervalCount: fc.integer({ min: 1, max: 3 }),
      amount,
      currency: fc.constantFrom("usd", "eur"),
    }),
    ad: fc.option(
      fc.record({
        status: fc.constantFrom("Pending", "Approved", "Rejected"),
        impressions: fc.nat(),
        clicks: fc.nat(),
      }),
    ),
  });

  fc.assert(
    fc.property(fc.array(subscription, { maxLength: 5 }), (subscriptions) => {
      const totals = totalsOf(...subscriptions);

      for (const figure of [totals.monthlyAmount, totals.lifetimeAmount, totals.impressions, totals.clicks]) {
        expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
      }
      expect(totals.activeAds).toBeLessThanOrEqual(Math.min(totals.ads, totals.activeSubscriptions));
      expect(totals.nextRenewalAt ?? NOW + 1).toBeGreaterThan(NOW);
      expect(totals.cancelAt ?? NOW + 1).toBeGreaterThan(NOW);
      expect(totals.canceling).toBe(totals.cancelAt !== null && totals.cancellationSummary !== null);
      if (totals.churnedAt !== null) expect(totals.activeSubscriptions).toBe(0);
    }),
    { numRuns: 500 },
  );
});
