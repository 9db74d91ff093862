import { EVENT_SOURCES, READ_VERDICTS } from "./event.ts";
import { DEVICES, PLACE_COLUMNS } from "./event-place.ts";

/** What a report can be split and filtered by, in the order of columns. */
export const DIMENSION_NAMES = ["ad", "advertiser", "tier", "verdict", "source", ...PLACE_COLUMNS] as const;
export type ReportDimension = (typeof DIMENSION_NAMES)[number];

/**
 * A dimension is named, with ids whose names Postgres has, or has listed values, or any texts. The parameters, the answer and the columns
 * of the CSV file are made from this table.
 */
export const REPORT_DIMENSIONS = {
  ad: { form: "named", events: "of these ads" },
  advertiser: { form: "named", events: "of ads of these advertisers" },
  tier: { form: "named", events: "of ads of these tiers" },
  verdict: { form: "listed", events: "with these verdicts", values: READ_VERDICTS },
  source: { form: "listed", events: "from these sources", values: EVENT_SOURCES },
  placement: { form: "text", events: "at these placements", example: "sidebar" },
  path: { form: "text", events: "on pages with these paths", example: "/blog/first-post" },
  referrer: { form: "text", events: "after links on these sites", example: "news.example" },
  country: { form: "text", events: "from these countries", example: "DE" },
  device: { form: "listed", events: "on these devices", values: DEVICES },
  browser: { form: "text", events: "in these browsers", example: "Firefox" },
} as const satisfies Record<ReportDimension, object>;

type Table = typeof REPORT_DIMENSIONS;
/** A dimension whose values have an id and a name. */
export type NamedDimension = {
  [D in ReportDimension]: Table[D]["form"] extends "named" ? D : never;
}[ReportDimension];

/** A dimension whose values are texts that the store has. */
export type TextDimension = {
  [D in ReportDimension]: Table[D]["form"] extends "text" ? D : never;
}[ReportDimension];

/** A dimension of the place of an event, which the counts of other reports do not have. */
export type PlaceDimension = (typeof PLACE_COLUMNS)[number];

/** Whether a dimension is of the place of an event. */
export function isOfPlace(dimension: string): dimension is PlaceDimension {
  return PLACE_COLUMNS.some((column) => column === dimension);
}

/** A report is split by at most this many dimensions, time aside. */
export const MOST_DIMENSIONS = 2;
/** A filter has at most this many values of a dimension. */
export const MOST_FILTER_VALUES = 100;
/** No value of a dimension is longer, in UTF-16 units. */
export const LONGEST_FILTER_VALUE = 400;

/** A table with what `make` gives for each dimension. */
export function perDimension<T>(make: (dimension: ReportDimension) => T): Record<ReportDimension, T>;
export function perDimension(make: (dimension: ReportDimension) => unknown): Record<string, unknown> {
  return Object.fromEntries(DIMENSION_NAMES.map((dimension) => [dimension, make(dimension)]));
}

/** Whether the values of a dimension have names in Postgres. */
export function isNamed(dimension: ReportDimension): dimension is NamedDimension {
  return REPORT_DIMENSIONS[dimension].form === "named";
}

/** What a report counts. `invalid` are the impressions and clicks that do not count, for whatever reason. */
export const REPORT_METRICS = ["impressions", "clicks", "ctr", "invalid"] as const;
export type ReportMetric = (typeof REPORT_METRICS)[number];

/** The counted events of a row. */
export interface ReportCounts {
  readonly impressions: number;
  readonly clicks: number;
  readonly invalid: number;
}

export const NO_COUNTS: ReportCounts = { impressions: 0, clicks: 0, invalid: 0 };

/** Both together. */
export function addCounts(one: ReportCounts, other: ReportCounts): ReportCounts {
  return {
    impressions: one.impressions + other.impressions,
    clicks: one.clicks + other.clicks,
    invalid: one.invalid + other.invalid,
  };
}

/** A metric of some counts. `ctr` is the clicks per impression, null without impressions. */
export function metricOf(counts: ReportCounts, metric: ReportMetric): number | null {
  if (metric !== "ctr") return counts[metric];
  return counts.impressions === 0 ? null : counts.clicks / counts.impressions;
}

/** Orders counts by a metric, the highest first. Clicks without any impression come before every rate. */
export function compareCounts(metric: ReportMetric): (one: ReportCounts, other: ReportCounts) => number {
  const rank = (counts: ReportCounts) =>
    metricOf(counts, metric) ?? (counts.clicks > 0 ? Number.MAX_VALUE : -1);
  return (one, other) => rank(other) - rank(one);
}
