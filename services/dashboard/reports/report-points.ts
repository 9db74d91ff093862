import type { ReportRow } from "#libs/contract/reports.ts";
import type { ChartedPoint } from "../components/chart-scale.ts";
import { isOver } from "./report-periods.ts";
import type { ShownReport } from "./report-query.ts";
import type { Step } from "./report-search.ts";
import { timeWords } from "./report-words.ts";

/**
 * The points of a chart: the times that are over, so that one which still counts is never a fall. `now` is in epoch milliseconds.
 */
export function reportPoints({ times, query }: ShownReport, step: Step, now: number): ChartedPoint[] {
  return overOf(times, query, now).map(({ dimensions, metrics, comparison }) => {
    const label = timeWords(dimensions.time ?? "", step, query.timeZone);
    return {
      label,
      name: step === "week" ? `Week from ${label}` : label,
      ...figuresOf(metrics),
      isUnfinished: false,
      ...(comparison === undefined ? {} : { before: figuresOf(comparison.metrics) }),
    };
  });
}

function figuresOf({ impressions = null, clicks = null }: ReportRow["metrics"]) {
  return { impressions, clicks };
}

/** The rows whose time has ended. */
function overOf(times: readonly ReportRow[], query: ShownReport["query"], now: number): readonly ReportRow[] {
  const running = unfinishedAt(times, query, now);
  return running === null ? times : times.slice(0, running);
}

/** Which of the rows, in the order of time, is the first whose time is not over; null if all are. */
export function unfinishedAt(
  times: readonly ReportRow[],
  query: Pick<ShownReport["query"], "to" | "timeZone">,
  now: number,
): number | null {
  const later = times.findIndex(({ dimensions }) => Date.parse(dimensions.time ?? "") > now);
  if (later >= 0) return Math.max(0, later - 1);
  return isOver(query, now) || times.length === 0 ? null : times.length - 1;
}
