import type { Interval } from "./period.ts";

export interface Period {
  readonly interval: Interval;
  readonly intervalCount: number;
}

const WORDS: Readonly<Record<Interval, { one: string; more: string; adverb: string }>> = {
  Day: { one: "/day", more: "days", adverb: "Daily" },
  Week: { one: "/week", more: "weeks", adverb: "Weekly" },
  Month: { one: "/month", more: "months", adverb: "Monthly" },
  Year: { one: "/year", more: "years", adverb: "Yearly" },
};

const COUNT = new Intl.NumberFormat("en");

/** How often is paid, in English, to append to an amount: `/month`, ` every 3 months`. */
export function everyPeriod({ interval, intervalCount }: Period): string {
  const { one, more } = WORDS[interval];
  return intervalCount === 1 ? one : ` every ${COUNT.format(intervalCount)} ${more}`;
}

/** The same by itself: `Monthly`, `Every 3 months`. */
export function periodName({ interval, intervalCount }: Period): string {
  const { adverb, more } = WORDS[interval];
  return intervalCount === 1 ? adverb : `Every ${COUNT.format(intervalCount)} ${more}`;
}
