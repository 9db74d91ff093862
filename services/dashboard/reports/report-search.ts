import { MOST_DAYS_BY_HOUR } from "#libs/domain/report-buckets.ts";
import { COMPARISONS, type Compare } from "#libs/domain/report-comparison.ts";
import {
  DIMENSION_NAMES,
  MOST_DIMENSIONS,
  REPORT_METRICS,
  type ReportDimension,
  type ReportMetric,
} from "#libs/domain/report-dimensions.ts";
import { DAY_MS, dayOfDate, localDayAt, zoneNamed } from "#libs/domain/report-zone.ts";
import { oneOf, readPageSearch, readText } from "../components/search.ts";
import {
  FILTER_KINDS,
  type FilterInput,
  type Filters,
  filterInput,
  joinValues,
  readFilters,
} from "./report-filter-search.ts";
import {
  type Dates,
  datesOf,
  PRESETS,
  type Preset,
  USUAL_COMPARISON,
  USUAL_PRESET,
} from "./report-periods.ts";

/** What a report may be split into by time. */
export const STEPS = ["hour", "day", "week", "month", "none"] as const;
export type Step = (typeof STEPS)[number];

/** A report by the parameters of its page's address. What is left out has its default. */
export interface ReportSearch extends Filters {
  readonly period?: Preset;
  /** Dates in place of a preset. */
  readonly from?: string;
  readonly to?: string;
  /** Default the workspace's. */
  readonly zone?: string;
  readonly by?: Step;
  /** Up to two dimensions, joined by a comma. */
  readonly split?: string;
  /** Default the period before. */
  readonly compare?: Compare;
  readonly weekdays?: "same";
  readonly sort?: ReportMetric;
  /** From 2. */
  readonly page?: number;
}

/** The parameters of an address, which anybody may have written. */
export type GivenSearch = Readonly<Partial<Record<keyof ReportSearch, unknown>>>;

/** Reads a report from an address. Defaults and invalid values are left out. */
export function readReportSearch(given: GivenSearch): ReportSearch {
  const period = oneOf(PRESETS, given.period);
  const from = readDate(given.from);
  const to = readDate(given.to);
  const hasDates = from !== null && to !== null;
  const zone = readText(given.zone);
  const by = oneOf(STEPS, given.by);
  const split = splitOf(given.split).join(",");
  const compare = oneOf(COMPARISONS, given.compare);
  const sort = oneOf(REPORT_METRICS, given.sort);
  return {
    ...(hasDates ? { from, to } : period === null || period === USUAL_PRESET ? {} : { period }),
    ...(zone === "" || zoneNamed(zone) === null ? {} : { zone }),
    ...(by === null ? {} : { by }),
    ...(split === "" ? {} : { split }),
    ...(compare === null || compare === USUAL_COMPARISON ? {} : { compare }),
    ...(given.weekdays === "same" && compare !== "none" ? { weekdays: "same" } : {}),
    ...(sort === null || sort === "impressions" ? {} : { sort }),
    ...readFilters(given),
    ...readPageSearch(given),
  };
}

/** Changes a report and returns to its first page. */
export function changeReport(search: ReportSearch, change: GivenSearch): ReportSearch {
  return readReportSearch({ ...search, page: 1, ...change });
}

/** Narrows a report to one value of a dimension, by which it is no longer split. */
export function narrowTo(search: ReportSearch, dimension: ReportDimension, value: string): ReportSearch {
  const split = splitOf(search.split).filter((one) => one !== dimension);
  return changeReport(search, { [dimension]: joinValues([value]), split: split.join(",") });
}

/** The dimensions that a report is split by. */
export function splitOf(given: unknown): ReportDimension[] {
  const names = typeof given === "string" ? given.split(",") : [];
  const known = names.flatMap((name) => oneOf(DIMENSION_NAMES, name) ?? []);
  return [...new Set(known)].slice(0, MOST_DIMENSIONS);
}

function readDate(given: unknown): string | null {
  return typeof given === "string" && dayOfDate(given) !== null ? given : null;
}

/** The dates of a report. `now` is in epoch milliseconds, `zone` the name of its time zone. */
export function reportDates({ from, to, period }: ReportSearch, zone: string, now: number): Dates {
  if (from !== undefined && to !== undefined) return { from, to };
  const found = zoneNamed(zone);
  const today = found === null ? Math.floor(now / DAY_MS) : localDayAt(found, now);
  return datesOf(period ?? USUAL_PRESET, today);
}

/** Days from one date to another, both included. */
export function daysOf({ from, to }: Dates): number {
  return (dayOfDate(to) ?? 0) - (dayOfDate(from) ?? 0) + 1;
}

const MOST_BY_DAY = 100;
const MOST_BY_WEEK = 700;

/** What a report is split into by time: unless chosen, so that a chart has some 100 points at most. */
export function stepOf({ by, split }: ReportSearch, dates: Dates): Step {
  const days = daysOf(dates);
  if (by !== undefined && (by !== "hour" || days <= MOST_DAYS_BY_HOUR)) return by;
  if (by === undefined && split !== undefined) return "none";
  if (days <= MOST_BY_DAY) return "day";
  return days <= MOST_BY_WEEK ? "week" : "month";
}

/** The question as the API takes it. */
export interface ReportInput extends Dates, FilterInput {
  readonly workspaceId: string;
  readonly timeZone: string;
  readonly granularity: Step;
  readonly groupBy: ReportDimension[];
  readonly sort: ReportMetric;
  readonly compare: Compare;
  readonly matchWeekday: "yes" | "no";
}

/** The input of the API. */
export function reportInput(
  workspaceId: string,
  search: ReportSearch,
  zone: string,
  now: number,
): ReportInput {
  const dates = reportDates(search, zone, now);
  return {
    workspaceId,
    ...dates,
    timeZone: zone,
    granularity: stepOf(search, dates),
    groupBy: splitOf(search.split),
    sort: search.sort ?? "impressions",
    compare: search.compare ?? USUAL_COMPARISON,
    matchWeekday: search.weekdays === "same" ? "yes" : "no",
    ...filterInput(search),
  };
}

/** The address of the same report as a file. */
export function reportFile(input: ReportInput): string {
  const { workspaceId, from, to, timeZone, granularity, groupBy, sort, compare, matchWeekday } = input;
  const search = new URLSearchParams({ from, to, timeZone, granularity, sort, compare, matchWeekday });
  if (groupBy.length > 0) search.set("groupBy", groupBy.join(","));
  for (const { dimension, test } of FILTER_KINDS) {
    // One for each value, because values may have commas.
    for (const value of input[dimension]?.[test] ?? []) search.append(`${dimension}[${test}]`, value);
  }
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/reports.csv?${search}`;
}
