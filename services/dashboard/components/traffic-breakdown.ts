import type { AdTraffic } from "#libs/contract/ad.ts";
import { perVerdict, type ReadVerdict, type VerdictRow } from "#libs/domain/event.ts";
import { formatCount, formatCounted, formatPercent } from "./format.ts";

/** The events of one verdict. The share is of all accepted events, 0 to 1. */
export type TrafficShare = VerdictRow & {
  readonly impressions: number;
  readonly clicks: number;
  readonly events: number;
  readonly share: number;
};

interface TrafficBreakdown {
  readonly events: number;
  readonly counted: TrafficShare;
  /** Every reason, also those that did not occur, the most frequent first. */
  readonly uncounted: readonly TrafficShare[];
  /** Accepted events that do not count, and their share of all. */
  readonly uncountedEvents: number;
  readonly uncountedShare: number;
}

/** Splits traffic into what was counted and what was filtered out, with the reasons in plain words. */
export function breakTrafficDown({ rows, totals }: Pick<AdTraffic, "rows" | "totals">): TrafficBreakdown {
  const events = Object.values(totals).reduce((sum, found) => sum + found, 0);
  const { valid, ...others } = perVerdict(
    (row): TrafficShare => ({
      ...row,
      impressions: count(rows, row.verdict, "impression"),
      clicks: count(rows, row.verdict, "click"),
      events: totals[row.verdict],
      share: events === 0 ? 0 : totals[row.verdict] / events,
    }),
  );
  const uncounted = Object.values(others).toSorted((a, b) => b.events - a.events);
  const uncountedEvents = events - totals.valid;
  return {
    events,
    counted: valid,
    uncounted,
    uncountedEvents,
    uncountedShare: events === 0 ? 0 : uncountedEvents / events,
  };
}

/** Summarizes the traffic in one or two sentences. There must be at least one event. */
export function trafficWords(
  { events, uncountedEvents, uncountedShare }: TrafficBreakdown,
  visitors: number,
  days: number,
): string {
  const from = visitors === 0 ? "" : ` Counted events came from ${formatCounted(visitors, "daily visitor")}.`;
  if (uncountedEvents > 0) {
    const filtered = `${formatCount(uncountedEvents)} of ${formatCount(events)}`;
    return `${formatPercent(uncountedShare)} of events (${filtered}) in the last ${days} days were filtered out.${from}`;
  }
  const all = events === 1 ? "The only event" : `All ${formatCount(events)} events`;
  return `${all} in the last ${days} days ${events === 1 ? "was" : "were"} counted.${from}`;
}

function count(rows: AdTraffic["rows"], verdict: ReadVerdict, kind: "impression" | "click"): number {
  return rows
    .filter((row) => row.verdict === verdict && row.kind === kind)
    .reduce((sum, row) => sum + row.events, 0);
}
