import { VERDICTS, type Verdict } from "#libs/domain/event.ts";
import type { AdTraffic } from "./ad-shapes.ts";

type Uncounted = Exclude<Verdict, "valid">;

/** What happened to some events, and why. Shares are of everything that was accepted, 0 to 1. */
export interface TrafficShare {
  readonly verdict: Verdict;
  readonly title: string;
  readonly reason: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly events: number;
  readonly share: number;
}

export interface TrafficBreakdown {
  readonly events: number;
  readonly counted: TrafficShare;
  /** Only reasons that occurred, the most frequent first. */
  readonly uncounted: readonly TrafficShare[];
  /** Of all that was accepted. */
  readonly uncountedEvents: number;
  readonly uncountedShare: number;
}

const WORDS: Readonly<Record<Verdict, { readonly title: string; readonly reason: string }>> = {
  valid: { title: "Counted", reason: "Shown to, or followed by, a visitor while the ad was on air." },
  bot: {
    title: "Bots",
    reason: "The user agent names an automated client: a search engine, a monitor, a link preview.",
  },
  prefetch: {
    title: "Prefetches",
    reason: "The browser loaded the page ahead of time. Nobody was looking at it yet.",
  },
  duplicate: {
    title: "Repeats",
    reason: "The same visitor did the same again within seconds, for instance by a double click.",
  },
  not_serving: {
    title: "Off the air",
    reason:
      "The ad had not been eligible in the last 15 minutes, for instance on a page that was left open or kept in a cache.",
  },
};

/** What of an ad's traffic counts, and what does not and why, in words for people. */
export function breakTrafficDown({ rows, totals }: Pick<AdTraffic, "rows" | "totals">): TrafficBreakdown {
  const events = VERDICTS.reduce((sum, verdict) => sum + totals[verdict], 0);
  const shareOf = (verdict: Verdict): TrafficShare => ({
    verdict,
    ...WORDS[verdict],
    impressions: count(rows, verdict, "impression"),
    clicks: count(rows, verdict, "click"),
    events: totals[verdict],
    share: events === 0 ? 0 : totals[verdict] / events,
  });
  const uncounted = VERDICTS.filter((verdict): verdict is Uncounted => verdict !== "valid")
    .map(shareOf)
    .filter((one) => one.events > 0)
    .toSorted((a, b) => b.events - a.events);
  const uncountedEvents = events - totals.valid;
  return {
    events,
    counted: shareOf("valid"),
    uncounted,
    uncountedEvents,
    uncountedShare: events === 0 ? 0 : uncountedEvents / events,
  };
}

function count(rows: AdTraffic["rows"], verdict: Verdict, kind: "impression" | "click"): number {
  return rows
    .filter((row) => row.verdict === verdict && row.kind === kind)
    .reduce((sum, row) => sum + row.events, 0);
}
