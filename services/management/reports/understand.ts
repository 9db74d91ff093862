import type { Kysely } from "kysely";
import type { ReportInput } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type Bucket, bucketsOf, type ReportPeriod, reportPeriod } from "#libs/domain/report-buckets.ts";
import { type Comparison, comparisonOf } from "#libs/domain/report-comparison.ts";
import {
  DIMENSION_NAMES,
  REPORT_METRICS,
  type ReportDimension,
  type ReportMetric,
} from "#libs/domain/report-dimensions.ts";
import { type Zone, zoneNamed } from "#libs/domain/report-zone.ts";
import { invalidInput } from "#libs/http/index.ts";
import type { ReportCondition, ReportGroup } from "#libs/stats-store/index.ts";
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
}

type Filter = ReportInput[ReportDimension];

/** What a report is asked for as of `now`. Throws 422 for a period that is none and for an unknown time zone. */
export async function understandReport(
  db: Kysely<Tables>,
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
  const owners = [...dimensions, ...filtered].some(isOfSale) ? await listOwners(db, workspaceId) : [];
  return {
    workspaceId,
    now,
    zone,
    period,
    buckets,
    comparison: comparisonOf(zone, period, { compare, matchWeekday }, now),
    granularity,
    sort,
    compare,
    matchWeekday,
    dimensions,
    metrics: input.metrics === undefined || input.metrics.length === 0 ? REPORT_METRICS : input.metrics,
    filters: Object.fromEntries(filtered.map((dimension) => [dimension, input[dimension]])),
    groupBy: dimensions.map((dimension) => groupOf(dimension, owners)),
    where: DIMENSION_NAMES.flatMap((dimension) => conditionsOf(dimension, input[dimension], owners)),
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
    const ads = owners.filter((owner) => values.includes(owner[dimension])).map(({ ad }) => ad);
    return [{ by: "ad", is, values: ads }];
  };
  return [...condition(filter?.is, true), ...condition(filter?.isNot, false)];
}
