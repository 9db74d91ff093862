export const INTERVALS = ["Day", "Week", "Month", "Year"] as const;

/** The unit of a billing period; `intervalCount` of them make one period. */
export type Interval = (typeof INTERVALS)[number];

/** An average month is a twelfth of 365.25 days. */
export const DAYS_PER_MONTH = 365.25 / 12;

const DAYS: Record<Interval, number> = { Day: 1, Week: 7, Month: DAYS_PER_MONTH, Year: 365.25 };

/**
 * A period that continues after a stop is moved by `trial_end` at Stripe, which lies at most 730 days ahead: of a longer one the rest
 * could not be kept.
 */
const LONGEST: Record<Interval, number> = { Day: 730, Week: 104, Month: 24, Year: 2 };

/** The most intervals of a kind that one billing period may have, so that it stays within two years. */
export function longestPeriod(interval: Interval): number {
  return LONGEST[interval];
}

/** How many average months a billing period lasts; not rounded. */
export function monthsInPeriod(interval: Interval, intervalCount: number): number {
  return (DAYS[interval] * intervalCount) / DAYS_PER_MONTH;
}
