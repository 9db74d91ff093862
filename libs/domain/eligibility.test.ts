import fc from "fast-check";
import { expect, it } from "vitest";
import {
  graceEnd,
  isEligible,
  isWithin,
  nextSpan,
  reasonsNotServed,
  type ServingFacts,
  servingEnd,
} from "./eligibility.ts";
import { momentAt, processorTime } from "./moment.ts";
import { MOST_GRACE_DAYS } from "./settings.ts";
import { SUBSCRIPTION_STATUSES } from "./subscription.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const NOTHING = { since: null, until: null };
const APPROVED: ServingFacts = {
  adStatus: "Approved",
  subscriptionStatus: "Active",
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: null,
  graceEndsAt: null,
  awaitsCharge: false,
  heldUntil: null,
};
/** That time, with both clocks in step. */
const at = (time: number) => momentAt(time, 0);
const PAUSED: ServingFacts = { ...APPROVED, subscriptionStatus: "Paused" };

it("serves an approved ad until it is paused, also when the clock is set back meanwhile", () => {
  const approved = nextSpan(NOTHING, APPROVED, at(NOON));
  const paused = nextSpan(approved, PAUSED, at(NOON - HOUR));

  expect(isWithin(approved, NOON - HOUR)).toBe(true);
  expect(isWithin(paused, NOON - HOUR)).toBe(false);
  expect(isWithin(paused, NOON + HOUR)).toBe(false);
  expect(paused).toEqual({ since: NOON - HOUR, until: NOON - HOUR });
});

it("continues a span that is running, and begins another after its end", () => {
  const approved = nextSpan(NOTHING, APPROVED, at(NOON));
  const toEnd = nextSpan(approved, { ...APPROVED, cancelAt: NOON + 2 * HOUR }, at(NOON + HOUR));
  const paused = nextSpan(approved, PAUSED, at(NOON + HOUR));
  const resumed = nextSpan(paused, APPROVED, at(NOON + 2 * HOUR));

  expect(toEnd).toEqual({ since: NOON, until: NOON + 2 * HOUR });
  expect(paused).toEqual({ since: NOON, until: NOON + HOUR });
  expect(resumed).toEqual({ since: NOON + 2 * HOUR, until: null });
  expect(nextSpan(NOTHING, PAUSED, at(NOON))).toEqual(NOTHING);
});

const DAY = 24 * HOUR;
const OWED = { status: "PastDue", graceDays: 3, periodEnd: null, stoppedAt: null, graceChanges: [] } as const;
const time = fc.integer({ min: NOON - 1_000 * DAY, max: NOON + 1_000 * DAY });
const anySubscription = fc.record({
  status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  renewalFailedAt: fc.option(time),
  graceDays: fc.integer({ min: 0, max: MOST_GRACE_DAYS }),
  graceChanges: fc.constant([]),
  periodEnd: fc.constant(null),
  stoppedAt: fc.constant(null),
});

function factsOf(subscription: Parameters<typeof graceEnd>[0]): ServingFacts {
  return { ...APPROVED, subscriptionStatus: subscription.status, graceEndsAt: graceEnd(subscription) };
}

it("serves an ad with an unpaid renewal for the grace days from its first failure, and not an instant longer", () => {
  fc.assert(
    fc.property(anySubscription, time, (subscription, now) => {
      const { status, renewalFailedAt, graceDays } = subscription;
      const isOwed = status === "PastDue" || status === "Unpaid";
      const isInGrace = renewalFailedAt !== null && now < renewalFailedAt + graceDays * DAY;

      expect(isEligible(factsOf(subscription), processorTime(now))).toBe(
        status === "Active" || status === "Trialing" || (isOwed && isInGrace),
      );
    }),
  );
});

it("ends the serving span at the end of the grace by itself, whenever the failure was learned of", () => {
  fc.assert(
    fc.property(anySubscription, time, time, time, (subscription, since, learned, later) => {
      const span = nextSpan({ since, until: null }, factsOf(subscription), at(learned));
      const end = graceEnd(subscription);

      if (end !== null && later >= Math.max(end, learned)) expect(isWithin(span, later)).toBe(false);
      if (end !== null && learned <= later && later < end) expect(isWithin(span, later)).toBe(true);
    }),
  );
});

it("does not extend the grace where further periods fail: the first failure counts, not the latest", () => {
  const first = NOON;
  const owed = { ...OWED, renewalFailedAt: first };
  let span = nextSpan({ since: first - DAY, until: null }, factsOf(owed), at(first));

  for (const day of [1, 2, 3, 4, 5]) span = nextSpan(span, factsOf(owed), at(first + day * DAY));

  expect(span).toEqual({ since: first - DAY, until: first + 3 * DAY });
});

it("ends the grace with the period that is unpaid, and keeps the end of one that was written down", () => {
  const owed = { ...OWED, renewalFailedAt: NOON };

  expect(graceEnd({ ...owed, periodEnd: NOON + DAY })).toBe(NOON + DAY);
  expect(graceEnd({ ...owed, periodEnd: NOON + 9 * DAY })).toBe(NOON + 3 * DAY);
  expect(graceEnd({ ...owed, graceDays: 14, stoppedAt: NOON + 2 * DAY })).toBe(NOON + 2 * DAY);
});

/** The end of a grace that began at noon with `days`, in days from then, after changes to other days. */
function endAfter(days: number, ...changes: readonly (readonly [onDay: number, days: number])[]): number {
  const setting = [days, ...changes.map(([, later]) => later)];
  const graceChanges = changes.map(([onDay], n) => ({ at: NOON + onDay * DAY, daysBefore: setting[n] ?? 0 }));
  const end = graceEnd({ ...OWED, renewalFailedAt: NOON, graceDays: setting.at(-1) ?? 0, graceChanges });
  return ((end ?? 0) - NOON) / DAY;
}

it("ends a grace that is cut in its middle at that moment, and keeps what has ended at its end", () => {
  expect(endAfter(6, [3, 4])).toBe(4);
  expect(endAfter(6, [3, 1])).toBe(3);
  expect(endAfter(6, [3, 1], [3, 0])).toBe(3);
  expect(endAfter(6, [3, 1], [5, 0], [5.5, 14])).toBe(3);
  expect(endAfter(6, [3, 9])).toBe(9);
  expect(endAfter(6, [3, 9], [8, 2])).toBe(8);
  expect(endAfter(2, [3, 9])).toBe(2);
  expect(endAfter(6, [-1, 2])).toBe(2);
});

it("changes only a grace that has not ended, and ends it no earlier than then, however often it was changed", () => {
  const days = fc.integer({ min: 0, max: MOST_GRACE_DAYS });
  const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), days), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(days, changes, (first, unsorted) => {
      const sorted = unsorted.toSorted(([one], [other]) => one - other);
      const [onDay = 0, later = 0] = sorted.at(-1) ?? [];
      const before = endAfter(first, ...sorted.slice(0, -1));

      expect(endAfter(first, ...sorted)).toBe(before <= onDay ? before : Math.max(onDay, later));
    }),
  );
});

it("ends with the time that is paid for, of a subscription whose renewals are held", () => {
  const held: ServingFacts = { ...APPROVED, heldUntil: NOON + DAY };

  expect(servingEnd(held)).toBe(NOON + DAY);
  expect(isEligible(held, processorTime(NOON + DAY - 1))).toBe(true);
  expect(reasonsNotServed(held, processorTime(NOON + DAY)).map(({ code }) => code)).toEqual([
    "SUBSCRIPTION_NOT_CHARGED",
  ]);
});

it("ends at whichever comes first, the planned end or that of the grace", () => {
  const owed = { ...OWED, renewalFailedAt: NOON };

  expect(servingEnd({ ...factsOf(owed), cancelAt: NOON + DAY })).toBe(NOON + DAY);
  expect(servingEnd({ ...factsOf(owed), cancelAt: NOON + 9 * DAY })).toBe(NOON + 3 * DAY);
});

it("does not serve an approved ad before the charge that waited for its approval was made", () => {
  const awaiting: ServingFacts = { ...APPROVED, subscriptionStatus: "Trialing", awaitsCharge: true };

  expect(reasonsNotServed(awaiting, processorTime(NOON)).map(({ code }) => code)).toEqual([
    "SUBSCRIPTION_NOT_CHARGED",
  ]);
  expect(nextSpan(NOTHING, awaiting, at(NOON))).toEqual(NOTHING);
  expect(isEligible({ ...awaiting, awaitsCharge: false }, processorTime(NOON))).toBe(true);
});

it("ends the span in real time when the processor's clock, which is ahead, reaches the end", () => {
  const ahead = 30 * DAY;
  const ending: ServingFacts = { ...APPROVED, cancelAt: NOON + ahead + HOUR };

  const span = nextSpan({ since: NOON - DAY, until: null }, ending, momentAt(NOON, ahead));
  const moved = nextSpan(span, ending, momentAt(NOON + 1_000, ahead + HOUR));

  expect(span).toEqual({ since: NOON - DAY, until: NOON + HOUR });
  expect(moved).toEqual({ since: NOON - DAY, until: NOON + 1_000 });
});
