import type { Kysely } from "kysely";
import type { ReportInput } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type AdvertiserStep, type FEWER, shownCount } from "#libs/domain/advertiser-report.ts";
import type { PlaceDimension, ReportCounts } from "#libs/domain/report-dimensions.ts";
import { dateOfDay, isoInZone, localDayAt } from "#libs/domain/report-zone.ts";
import { type Counted, readGroups, readRows } from "./read.ts";
import type { ReportPorts } from "./routes.ts";
import { type Report, understandReport } from "./understand.ts";

/** A report that an advertiser asks for. */
export interface AdQuestion {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly step: AdvertiserStep;
  readonly split: PlaceDimension | null;
}

/** The report of one ad as its advertiser may see it. */
export interface AdReport extends Counted {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** The day that it is in the time zone. */
  readonly today: string;
  /** The days that the period is compared with, as many before it. */
  readonly before: { readonly from: string; readonly to: string } | null;
  /** In order, those aside that have not begun, or ended before the workspace's first event. */
  readonly times: readonly AdTime[];
  /** Those with the most impressions first; null without a split. */
  readonly values: readonly AdValue[] | null;
}

export interface AdTime extends ReportCounts {
  /** When it begins, as ISO 8601 in the time zone. */
  readonly start: string;
  readonly isOver: boolean;
}

export interface AdValue extends Readonly<Record<keyof ReportCounts, number | typeof FEWER>> {
  readonly value: string;
}

interface Asked {
  readonly workspaceId: string;
  readonly adId: string;
  readonly question: AdQuestion;
}

/** Counts what an ad has brought. Throws 422 as `understandReport` does. */
export async function reportOfAd(
  db: Kysely<Tables>,
  { stats, now }: ReportPorts,
  { workspaceId, adId, question: { from, to, step, split } }: Asked,
): Promise<AdReport> {
  const at = now();
  const understand = (more: Pick<ReportInput, "granularity" | "groupBy" | "compare" | "timeZone">) =>
    understandReport(db, stats, workspaceId, { from, to, ad: { is: [adId] }, ...ASKED, ...more }, at);
  const byTime = await understand({ granularity: step, compare: "previous" });
  const { period, zone, comparison } = byTime;
  // It may be refused, so it is understood before anything is counted.
  const bySplit =
    split === null ? null : await understand({ ...WHOLE, groupBy: [split], timeZone: zone.name });
  const groups = await readGroups(stats, byTime);
  return {
    ...groups.totals,
    from: dateOfDay(period.from),
    to: dateOfDay(period.to),
    timeZone: zone.name,
    today: dateOfDay(localDayAt(zone, at)),
    before: comparison && { from: dateOfDay(comparison.from), to: dateOfDay(comparison.to) },
    times: timesOf(
      byTime,
      await readRows(stats, { ...byTime, comparison: null }, groups, 0, byTime.buckets.length),
    ),
    values: bySplit && valuesOf(await readGroups(stats, bySplit)),
  };
}

const ASKED = { sort: "impressions", matchWeekday: "no" } as const;
const WHOLE = { granularity: "none", compare: "none" } as const;

function timesOf({ buckets, zone, now }: Report, rows: Awaited<ReturnType<typeof readRows>>): AdTime[] {
  return rows.flatMap(({ bucket, counts }) => {
    const span = buckets[bucket];
    if (span === undefined || counts === null) return [];
    const { impressions, clicks, invalid } = counts;
    return [{ start: isoInZone(zone, span.start), isOver: span.end <= now, impressions, clicks, invalid }];
  });
}

function valuesOf({ rows }: Awaited<ReturnType<typeof readGroups>>): AdValue[] {
  return rows.flatMap(({ keys: [value], counts }) =>
    value === null || value === undefined || counts === null
      ? []
      : [
          {
            value,
            impressions: shownCount(counts.impressions),
            clicks: shownCount(counts.clicks),
            invalid: shownCount(counts.invalid),
          },
        ],
  );
}
