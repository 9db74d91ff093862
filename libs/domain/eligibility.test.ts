import { expect, it } from "vitest";
import { isWithin, nextSpan, type ServingFacts } from "./eligibility.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const NOTHING = { since: null, until: null };
const APPROVED: ServingFacts = {
  adStatus: "Approved",
  subscriptionStatus: "Active",
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: null,
};
const PAUSED: ServingFacts = { ...APPROVED, subscriptionStatus: "Paused" };

it("serves an approved ad until it is paused, also when the clock is set back meanwhile", () => {
  const approved = nextSpan(NOTHING, APPROVED, NOON);
  const paused = nextSpan(approved, PAUSED, NOON - HOUR);

  expect(isWithin(approved, NOON - HOUR)).toBe(true);
  expect(isWithin(paused, NOON - HOUR)).toBe(false);
  expect(isWithin(paused, NOON + HOUR)).toBe(false);
  expect(paused).toEqual({ since: NOON - HOUR, until: NOON - HOUR });
});

it("continues a span that is running, and begins another after its end", () => {
  const approved = nextSpan(NOTHING, APPROVED, NOON);
  const toEnd = nextSpan(approved, { ...APPROVED, cancelAt: NOON + 2 * HOUR }, NOON + HOUR);
  const paused = nextSpan(approved, PAUSED, NOON + HOUR);
  const resumed = nextSpan(paused, APPROVED, NOON + 2 * HOUR);

  expect(toEnd).toEqual({ since: NOON, until: NOON + 2 * HOUR });
  expect(paused).toEqual({ since: NOON, until: NOON + HOUR });
  expect(resumed).toEqual({ since: NOON + 2 * HOUR, until: null });
  expect(nextSpan(NOTHING, PAUSED, NOON)).toEqual(NOTHING);
});
