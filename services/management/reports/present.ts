import type { Kysely } from "kysely";
import type { Report as Answer, ReportRow } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isFirst } from "#libs/domain/report-buckets.ts";
import {
  isNamed,
  metricOf,
  type NamedDimension,
  type ReportCounts,
  type ReportDimension,
} from "#libs/domain/report-dimensions.ts";
import { REPORT_WARNING_CODES, REPORT_WARNINGS, type ReportWarning } from "#libs/domain/report-warnings.ts";
import { dateOfDay, isoInZone } from "#libs/domain/report-zone.ts";
import { findNames } from "./queries.ts";
import { type Counted, type CountedRow, earliestOf, type Groups, isByTime } from "./read.ts";
import type { Report } from "./understand.ts";

/** The names of values, by dimension and id. */
export type Names = Partial<Record<NamedDimension, ReadonlyMap<string, string>>>;

/** The names of all values of some rows, but of those that are in `known`. */
export async function namesOf(
  db: Kysely<Tables>,
  { workspaceId, dimensions }: Report,
  rows: readonly CountedRow[],
  known: Names = {},
): Promise<Names> {
  const found: Names = {};
  for (const [n, dimension] of dimensions.entries()) {
    if (!isNamed(dimension)) continue;
    const before = known[dimension] ?? new Map();
    const ids = new Set(rows.map(({ keys }) => keys[n]).filter((id) => id !== null && id !== undefined));
    const added = await findNames(
      db,
      workspaceId,
      dimension,
      [...ids].filter((id) => !before.has(id)),
    );
    found[dimension] = new Map([...before, ...added]);
  }
  return found;
}

/** Shows rows as the contract has them, which come in the order of time. */
export function rowPresenter(report: Report): (row: CountedRow, names: Names) => ReportRow {
  let times = timesOf(report, 0);
  let bucket = 0;
  return (row, names) => {
    if (row.bucket !== bucket) times = timesOf(report, row.bucket);
    bucket = row.bucket;
    const dimensions: ReportRow["dimensions"] = { ...times.own };
    for (const [n, dimension] of report.dimensions.entries()) {
      Object.assign(dimensions, { [dimension]: presentValue(dimension, row.keys[n] ?? null, names) });
    }
    const { metrics, comparison } = presentFigures(report, row);
    if (comparison === undefined) return { dimensions, metrics };
    return { dimensions, metrics, comparison: { ...times.earlier, ...comparison } };
  };
}

/** When a bucket begins, and when what it is compared with does; nothing for a report that is not split by time. */
function timesOf(report: Report, at: number) {
  const bucket = report.buckets[at];
  if (!isByTime(report) || bucket === undefined) return { own: {}, earlier: {} };
  const span = report.comparison?.spanOf(bucket) ?? null;
  return {
    own: { time: isoInZone(report.zone, bucket.start) },
    earlier: { time: span && isoInZone(report.zone, span.start) },
  };
}

function presentValue(dimension: ReportDimension, value: string | null, names: Names) {
  if (value === null || !isNamed(dimension)) return value;
  return { id: value, name: names[dimension]?.get(value) ?? null };
}

/** The metrics that were asked for, with those of the earlier period where one was. */
export function presentFigures(report: Report, { counts, compared }: Counted): Omit<ReportRow, "dimensions"> {
  const metrics = (of: ReportCounts | null) =>
    Object.fromEntries(report.metrics.map((metric) => [metric, of && metricOf(of, metric)]));
  return {
    metrics: metrics(counts),
    ...(report.comparison === null ? {} : { comparison: { metrics: metrics(compared) } }),
  };
}

/** What was understood. */
export function presentQuery(report: Report): Answer["query"] {
  const { zone, period, granularity, dimensions, filters, metrics, sort, compare, matchWeekday, comparison } =
    report;
  const until = comparison?.span?.end;
  return {
    from: dateOfDay(period.from),
    to: dateOfDay(period.to),
    timeZone: zone.name,
    granularity,
    groupBy: [...dimensions],
    filters,
    metrics: [...metrics],
    sort,
    compare,
    matchWeekday,
    comparison: comparison && {
      from: dateOfDay(comparison.from),
      to: dateOfDay(comparison.to),
      until: until === undefined ? null : isoInZone(zone, until),
    },
  };
}

/** What a reader should know of the figures. */
export function warningsOf(report: Report, { since, kept }: Groups): Answer["warnings"] {
  const { period, comparison, now } = report;
  const isTold: Readonly<Record<ReportWarning, boolean>> = {
    PERIOD_NOT_OVER: comparison !== null && now < period.end,
    BUCKETS_CUT: isCut(report),
    BEFORE_FIRST_EVENT: since === null || earliestOf(report) < since,
    TEXTS_FOLDED: kept !== undefined,
  };
  return REPORT_WARNING_CODES.filter((code) => isTold[code]).map((code) => ({
    code,
    message: REPORT_WARNINGS[code],
  }));
}

/** Whether the period begins or ends within a week or month. */
function isCut({ granularity, period: { from, to } }: Report): boolean {
  if (granularity !== "week" && granularity !== "month") return false;
  return !(isFirst(from, granularity) && isFirst(to + 1, granularity));
}
