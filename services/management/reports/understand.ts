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
import type { AdGroups, ReportCondition, ReportGroup } from "#libs/stats-store/index.ts";
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

interface Filter {
  readonly is?: string[];
  readonly isNot?: string[];
}

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
  const filters = filtersOf(input);
  const isOfOwner = [...dimensions, ...Object.keys(filters)].some(
    (one) => one === "advertiser" || one === "tier",
  );
  const owners = isOfOwner ? await listOwners(db, workspaceId) : [];
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
    filters,
    groupBy: dimensions.map((dimension) => groupOf(dimension, owners)),
    where: DIMENSION_NAMES.flatMap((dimension) => conditionsOf(dimension, filters[dimension], owners)),
  };
}

/** A refusal at one parameter. */
export function refused(parameter: string, sentence: string) {
  return invalidInput("INVALID_INPUT", { fieldErrors: { [parameter]: [sentence] } });
}

function filtersOf(input: ReportInput): Report["filters"] {
  return Object.fromEntries(
    DIMENSION_NAMES.flatMap((dimension) => {
      const { is, isNot } = input[dimension] ?? {};
      if (is === undefined && isNot === undefined) return [];
      return [
        [dimension, { ...(is === undefined ? {} : { is }), ...(isNot === undefined ? {} : { isNot }) }],
      ];
    }),
  );
}

function groupOf(dimension: ReportDimension, owners: Owners): ReportGroup {
  return dimension === "advertiser" || dimension === "tier" ? adsBy(dimension, owners) : dimension;
}

function adsBy(dimension: "advertiser" | "tier", owners: Owners): AdGroups {
  const groupOfAd = new Map(owners.map((owner) => [owner.ad, owner[dimension]]));
  return { groups: [...new Set(groupOfAd.values())], groupOfAd };
}

/** The store knows ads alone, so a condition on their advertisers or tiers becomes one on them. */
function conditionsOf(
  dimension: ReportDimension,
  filter: Filter | undefined,
  owners: Owners,
): ReportCondition[] {
  const condition = (values: readonly string[] | undefined, is: boolean): ReportCondition[] => {
    if (values === undefined) return [];
    if (dimension !== "advertiser" && dimension !== "tier") return [{ by: dimension, is, values }];
    const ads = owners.filter((owner) => values.includes(owner[dimension])).map(({ ad }) => ad);
    return [{ by: "ad", is, values: ads }];
  };
  return [...condition(filter?.is, true), ...condition(filter?.isNot, false)];
}
