import type { Kysely } from "kysely";
import type { ReportInput } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import { shownCount } from "#libs/domain/advertiser-report.ts";
import { NOT_KNOWN } from "#libs/domain/event-place.ts";
import { firstDayWithin } from "#libs/domain/report-buckets.ts";
import { NO_COUNTS, type PlaceDimension, type ReportDimension } from "#libs/domain/report-dimensions.ts";
import type { EmailedPeriod } from "#libs/domain/report-emails.ts";
import { DIMENSION_WORDS, valueWords } from "#libs/domain/report-words.ts";
import { dateOfDay, type Zone } from "#libs/domain/report-zone.ts";
import { HttpError } from "#libs/http/index.ts";
import type { ReportedValue, ReportFacts } from "../../mail/report-letters.ts";
import { findNames } from "../queries.ts";
import { type ReportStats, readGroups, readRows } from "../read.ts";
import { understandReport } from "../understand.ts";

const MOST_VALUES = 5;

export interface CountPorts {
  readonly db: Kysely<Tables>;
  readonly stats: ReportStats;
  readonly now: () => number;
}

/** What a report by email counts. */
export interface CountRequest {
  readonly workspaceId: string;
  readonly period: EmailedPeriod;
  readonly timeZone: string;
  /** These alone; undefined for all. */
  readonly ads?: readonly string[];
  readonly mostAds: number;
  readonly splits: readonly PlaceDimension[];
  /** Whether small counts of a value are hidden, as from advertisers. */
  readonly hidesFew: boolean;
}

/** The numbers of a report by email. */
type EmailedCounts = Pick<
  ReportFacts,
  "counts" | "before" | "days" | "ads" | "unlisted" | "splits" | "timeZone"
> & {
  /** The ad with the most impressions. */
  readonly topAd: string | null;
};

/** Counts a period as `GET …/reports` does, compared with as many days before; null where nothing was counted in it. */
export async function countPeriod(ports: CountPorts, request: CountRequest): Promise<EmailedCounts | null> {
  const { stats } = ports;
  const byDay = await understand(ports, request, { granularity: "day", compare: "previous" });
  const groups = await readGroups(stats, byDay);
  const { counts, compared } = groups.totals;
  if (counts === null || counts.impressions + counts.clicks === 0) return null;
  const rows = await readRows(stats, byDay, groups, 0, byDay.buckets.length);
  const ads = await countAds(ports, request);
  return {
    timeZone: byDay.zone.name,
    counts,
    before: compared,
    days: rows.map((row) => ({
      date: dateOfDay(byDay.period.from + row.bucket),
      count: row.counts?.impressions ?? null,
      clicks: row.counts?.clicks ?? 0,
      before: row.compared?.impressions ?? null,
    })),
    ads: ads.slice(0, request.mostAds),
    unlisted: Math.max(0, ads.length - request.mostAds),
    topAd: ads[0]?.id ?? null,
    splits: await countSplits(ports, request, byDay.zone),
  };
}

type ReportOptions = Partial<Pick<ReportInput, "granularity" | "compare" | "groupBy">>;

async function understand(
  { db, stats, now }: CountPorts,
  { workspaceId, period: { from, to }, timeZone, ads }: CountRequest,
  options: ReportOptions,
) {
  const usual = { granularity: "none", compare: "none", sort: "impressions", matchWeekday: "no" } as const;
  const only = ads === undefined ? {} : { ad: { is: [...ads] } };
  return await understandReport(
    db,
    stats,
    workspaceId,
    { from, to, timeZone, ...usual, ...only, ...options },
    now(),
  );
}

/** The values of a dimension that have valid events, with their counts, those with most impressions first. */
async function countBy(ports: CountPorts, request: CountRequest, dimension: ReportDimension) {
  const report = await understand(ports, request, { groupBy: [dimension] });
  const { rows } = await readGroups(ports.stats, report);
  return rows.flatMap(({ keys: [value], counts }) => {
    const { impressions, clicks } = counts ?? NO_COUNTS;
    return value === null || value === undefined || impressions + clicks === 0
      ? []
      : [{ value, impressions, clicks }];
  });
}

/** The ads with valid events, with their counts; empty where more ads have events than a report can list. */
async function countAds(ports: CountPorts, request: CountRequest) {
  const counted = await countBy(ports, request, "ad").catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 422) return [];
    throw error;
  });
  const listed = counted.slice(0, request.mostAds).map(({ value }) => value);
  const names = await findNames(ports.db, request.workspaceId, "ad", listed);
  return counted.map(({ value, ...counts }) => ({
    id: value,
    name: names.get(value) ?? "Deleted",
    ...counts,
  }));
}

/** The splits for which something is known, as far as their counts are kept. */
async function countSplits(
  ports: CountPorts,
  request: CountRequest,
  zone: Zone,
): Promise<ReportFacts["splits"]> {
  const kept = await ports.stats.splitRetentionDays();
  if (kept !== null && request.period.from < dateOfDay(firstDayWithin(zone, kept, ports.now()))) return [];
  const splits = [];
  for (const split of request.splits) {
    const counted = await countBy(ports, request, split);
    if (counted.every(({ value }) => value === NOT_KNOWN)) continue;
    const shown = (count: number) => (request.hidesFew ? shownCount(count) : count);
    const values = counted.slice(0, MOST_VALUES).map(
      ({ value, impressions, clicks }): ReportedValue => ({
        name: valueWords(split, value),
        impressions: shown(impressions),
        clicks: shown(clicks),
      }),
    );
    splits.push({ title: DIMENSION_WORDS[split], values });
  }
  return splits;
}
