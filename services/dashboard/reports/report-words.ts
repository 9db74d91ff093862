import type { ReportRow } from "#libs/contract/reports.ts";
import type { ReportDimension, ReportMetric } from "#libs/domain/report-dimensions.ts";
import { valueWords } from "#libs/domain/report-words.ts";
import { firstInstantOf, zoneNamed } from "#libs/domain/report-zone.ts";
import { formatClickRate, formatCount, formatStatsDay } from "../components/format.ts";
import type { Step } from "./report-search.ts";

export const METRIC_WORDS: Readonly<Record<ReportMetric, string>> = {
  impressions: "Impressions",
  clicks: "Clicks",
  ctr: "CTR",
  invalid: "Not counted",
};

export const STEP_WORDS: Readonly<Record<Step, string>> = {
  hour: "Hour",
  day: "Day",
  week: "Week",
  month: "Month",
  none: "Whole period",
};

/** A value of a row: its words, and what narrows a report to it. Null for a row that has none. */
export interface ShownValue {
  readonly value: string;
  readonly words: string;
}

/** The value that a row has of a dimension. */
export function rowValue(row: ReportRow, dimension: ReportDimension): ShownValue | null {
  const value = row.dimensions[dimension];
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") return { value: value.id, words: value.name ?? "Deleted" };
  return { value, words: valueWords(dimension, value) };
}

const months = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * When a row's time begins, on the clocks of the report's time zone: `Nov 21, 2026`, `Nov 21, 14:00`, `November 2026`. The second
 * of two hours that the clocks repeat has its offset: `Nov 1, 01:00 (UTC-05:00)`.
 */
export function timeWords(iso: string, step: Step, timeZone: string): string {
  const date = iso.slice(0, 10);
  if (step === "month") return months.format(new Date(date));
  if (step !== "hour") return formatStatsDay(date, true);
  const words = `${formatStatsDay(date)}, ${iso.slice(11, 16)}`;
  return isRepeated(iso, timeZone) ? `${words} (UTC${iso.slice(19)})` : words;
}

function isRepeated(iso: string, timeZone: string): boolean {
  const zone = zoneNamed(timeZone);
  return zone !== null && firstInstantOf(zone, Date.parse(`${iso.slice(0, 19)}Z`)) < Date.parse(iso);
}

type Metrics = ReportRow["metrics"];

/** A metric of a row; a dash for a time without figures. */
export function metricWords(metrics: Metrics, metric: ReportMetric): string {
  if (metric === "ctr") return formatClickRate(countsOf(metrics));
  const count = metrics[metric] ?? null;
  return count === null ? "–" : formatCount(count);
}

const changes = new Intl.NumberFormat("en-US", {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** The change since the earlier period: `+12.5% from 1,100`. Null if either has no figure. */
export function changeWords(now: Metrics, before: Metrics | undefined, metric: ReportMetric): string | null {
  if (before === undefined) return null;
  const words = metricWords(before, metric);
  if (words === "–" || metricWords(now, metric) === "–") return null;
  const [value, earlier] = [numberOf(now, metric), numberOf(before, metric)];
  if (earlier === 0) return value === 0 ? "No change" : `from ${words}`;
  return value === earlier ? "No change" : `${changes.format((value - earlier) / earlier)} from ${words}`;
}

function numberOf(metrics: Metrics, metric: ReportMetric): number {
  return metrics[metric] ?? 0;
}

/** The counts of a row, 0 for a time without figures. */
export function countsOf({ impressions, clicks }: Metrics) {
  return { impressions: impressions ?? 0, clicks: clicks ?? 0 };
}
