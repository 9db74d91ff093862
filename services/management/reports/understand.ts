import type { Kysely } from "kysely";
import type { ReportInput } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import {
  type Bucket,
  bucketsOf,
  firstDayWithin,
  type ReportPeriod,
  reportPeriod,
} from "#libs/domain/report-buckets.ts";
import { type Comparison, comparisonOf } from "#libs/domain/report-comparison.ts";
import {
  DIMENSION_NAMES,
  isOfPlace,
  REPORT_METRICS,
  type ReportDimension,
  type ReportMetric,
} from "#libs/domain/report-dimensions.ts";
import { dateOfDay, type Zone, zoneNamed } from "#libs/domain/report-zone.ts";
import { invalidInput } from "#libs/http/index.ts";
import {
  type ReportCondition,
  type ReportGroup,
  type ReportTable,
  type StatsStore,
  tableOf,
} from "#libs/stats-store/index.ts";
import { findTimeZone, listOwners, type Owners } from "./queries.ts";

/** A question after defaults, as it is asked of the stores. */
export interface Report extends Pick<ReportInput, "granularity" | "sort" | "compare"> {
  readonly workspaceId: string;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Zone;
  readonly period: ReportPeriod;
  /** At least one. */
  readonly buckets: readonly Bucket[];
  readonly comparison: Comparison | null;
  readonly matchWeekday: boolean;
  readonly dimensions: readonly ReportDimension[];
  readonly metrics: readonly ReportMetric[];
  readonly filters: Readonly<Partial<Record<ReportDimension, Filter>>>;
  /** `dimensions` and `filters` in the stats store's terms. */
  readonly groupBy: readonly ReportGroup[];
  readonly where: readonly ReportCondition[];
  /** Where the store has all of them. */
  readonly table: ReportTable;
}

type Filter = ReportInput[ReportDimension];

/**
 * What a report is asked for as of `now`. Throws 422 for a period that is none, for one that begins before what is kept of a dimension,
 * and for an unknown time zone.
 */
export async function understandReport(
  db: Kysely<Tables>,
  stats: Pick<StatsStore, "splitRetentionDays">,
  workspaceId: string,
  input: ReportInput,
  now: number,
): Promise<Report> {
  const { granularity, sort, compare } = input;
  const zone = zoneNamed(input.timeZone ?? (await findTimeZone(db, workspaceId)) ?? "UTC");
  if (zone === null) throw refused("timeZone", "The time zone is not known here.");
  const period = reportPeriod(zone, input, granularity, now);
  if ("at" in period) throw refused(period.at, period.sentence);
  const buckets = bucketsOf(zone, period, granularity);
  const matchWeekday = input.matchWeekday === "yes";
  const dimensions = input.groupBy ?? [];
  const filtered = DIMENSION_NAMES.filter((dimension) => input[dimension] !== undefined);
  const comparison = comparisonOf(zone, period, { compare, matchWeekday }, now);
  const ofPlace = [...dimensions, ...filtered].find(isOfPlace);
  if (ofPlace !== undefined) {
    const days = await stats.splitRetentionDays();
    const first = days === null ? Number.NEGATIVE_INFINITY : firstDayWithin(zone, days, now);
    const tooEarly = (parameter: string) =>
      refused(parameter, `Counts by ${ofPlace} are kept from ${dateOfDay(first)} on.`);
    if (period.from < first) throw tooEarly("from");
    if (comparison !== null && comparison.from < first) throw tooEarly("compare");
  }
  const owners = [...dimensions, ...filtered].some(isOfSale) ? await listOwners(db, workspaceId) : [];
  const groupBy = dimensions.map((dimension) => groupOf(dimension, owners));
  const where = DIMENSION_NAMES.flatMap((dimension) => conditionsOf(dimension, input[dimension], owners));
  return {
    workspaceId,
    now,
    zone,
    period,
    buckets,
    comparison,
    granularity,
    sort,
    compare,
    matchWeekday,
    dimensions,
    metrics: input.metrics === undefined || input.metrics.length === 0 ? REPORT_METRICS : input.metrics,
    filters: Object.fromEntries(filtered.map((dimension) => [dimension, input[dimension]])),
    groupBy,
    where,
    table: tableOf({ groupBy, where }),
  };
}

/** A refusal at one parameter. */
export function refused(parameter: string, sentence: string) {
  return invalidInput("INVALID_INPUT", { fieldErrors: { [parameter]: [sentence] } });
}

/** Whether only Postgres knows the value of an ad: what was bought by whom. */
function isOfSale(dimension: ReportDimension): dimension is "advertiser" | "tier" {
  return dimension === "advertiser" || dimension === "tier";
}

function groupOf(dimension: ReportDimension, owners: Owners): ReportGroup {
  if (!isOfSale(dimension)) return dimension;
  const groupOfAd = new Map(owners.map((owner) => [owner.ad, owner[dimension]]));
  return { groups: [...new Set(groupOfAd.values())], groupOfAd };
}

/** The store knows ads alone, so a condition on their advertisers or tiers becomes one on them. */
function conditionsOf(dimension: ReportDimension, filter: Filter, owners: Owners): ReportCondition[] {
  const condition = (values: readonly string[] | undefined, is: boolean): ReportCondition[] => {
    if (values === undefined) return [];
    if (!isOfSale(dimension)) return [{ by: dimension, is, values }];
    const wanted = new Set(values);
    const ads = owners.filter((owner) => wanted.has(owner[dimension])).map(({ ad }) => ad);
    return [{ by: "ad", is, values: ads }];
  };
  const parts = filter !== undefined && "contains" in filter ? filter.contains : undefined;
  return [
    ...condition(filter?.is, true),
    ...condition(filter?.isNot, false),
    ...condition(parts, true).map((one) => ({ ...one, arePart: true })),
  ];
}
