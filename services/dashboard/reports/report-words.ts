import type { ReportRow } from "#libs/contract/reports.ts";
import { type EventSource, perVerdict } from "#libs/domain/event.ts";
import { type Device, NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import { isNamed, type ReportDimension, type ReportMetric } from "#libs/domain/report-dimensions.ts";
import { firstInstantOf, zoneNamed } from "#libs/domain/report-zone.ts";
import { formatClickRate, formatCount, formatStatsDay } from "../components/format.ts";
import type { Step } from "./report-search.ts";

export const DIMENSION_WORDS: Readonly<Record<ReportDimension, string>> = {
  ad: "Ad",
  advertiser: "Advertiser",
  tier: "Tier",
  verdict: "Result",
  source: "Source",
  placement: "Placement",
  path: "Page",
  referrer: "Referrer",
  country: "Country",
  device: "Device",
  browser: "Browser",
};

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

const VERDICT_WORDS: Readonly<Record<string, string>> = perVerdict(({ title }) => title);
const SOURCE_WORDS: Readonly<Record<EventSource, string>> = {
  page: "Pages",
  link: "Links without script",
  server: "Your server",
  unknown: "Not known",
};

const DEVICE_WORDS: Readonly<Record<Device, string>> = {
  desktop: "Desktop",
  phone: "Phone",
  tablet: "Tablet",
  other: "Other",
  unknown: "Not known",
};
const LISTED_WORDS: Partial<Readonly<Record<ReportDimension, Readonly<Record<string, string>>>>> = {
  verdict: VERDICT_WORDS,
  source: SOURCE_WORDS,
  device: DEVICE_WORDS,
};
const COUNTRY = /^[A-Z]{2}$/;
const countries = new Intl.DisplayNames("en", { type: "region" });

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
  return { value, words: listedWords(dimension, value) };
}

/** The words of a value that has no name in Postgres. */
export function listedWords(dimension: ReportDimension, value: string): string {
  if (isNamed(dimension)) return value;
  if (value === NOT_KNOWN) return "Not known";
  if (value === OTHER_VALUE) return "All others";
  if (dimension === "country" && COUNTRY.test(value)) return countries.of(value) ?? value;
  return LISTED_WORDS[dimension]?.[value] ?? value;
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
