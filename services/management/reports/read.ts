import type { Span } from "#libs/domain/report-buckets.ts";
import {
  addCounts,
  compareCounts,
  NO_COUNTS,
  REPORT_DIMENSIONS,
  type ReportCounts,
} from "#libs/domain/report-dimensions.ts";
import type { ReportCount, ReportSpan, StatsStore } from "#libs/stats-store/index.ts";
import { type Report, refused } from "./understand.ts";

/** What reports are counted by. */
export type ReportStats = Pick<
  StatsStore,
  "reportCounts" | "mostCounted" | "firstCounted" | "splitRetentionDays"
>;

/** The most values, or pairs of values, that a report is split into, time aside. */
export const MOST_GROUPS = 20_000;
/** The most where some are texts, of which anybody can make up any number: a tenth holds the event loop for a tenth of the time. */
export const MOST_TEXTS = 5_000;
/** More rows than any part of a report has. */
const MOST_ROWS = 1_000_000;

/** A value of each dimension; null for what the database does not know. */
export type GroupKeys = readonly (string | null)[];

/** Counts, and those of the earlier period; null where none can be known. */
export interface Counted {
  readonly counts: ReportCounts | null;
  readonly compared: ReportCounts | null;
}

export interface CountedRow extends Counted {
  /** The place of its bucket in the report. */
  readonly bucket: number;
  readonly keys: GroupKeys;
  /** Tells the groups of a report apart. */
  readonly place: string;
}

/** The values or pairs whose texts are kept; all if undefined. */
type Kept = readonly string[] | undefined;

/** The values that have events in the period or the one before, with their counts, and all together. */
export interface Groups {
  readonly rows: readonly CountedRow[];
  readonly totals: Counted;
  /** The quarter of an hour with the workspace's first event, or one before all that is counted; null if it has none. */
  readonly since: number | null;
  readonly kept: Kept;
}

/**
 * Counts the whole period by group, the first by `sort` first. Throws 422 for more groups than a report may have, unless they have texts,
 * of which the rarest are counted together. The totals are the sums of the rows.
 */
export async function readGroups(stats: ReportStats, report: Report): Promise<Groups> {
  const { period, comparison } = report;
  // First: anybody may ask for reports of a workspace of theirs that has nothing to count.
  const since = await stats.firstCounted(report.workspaceId, earliestOf(report), report.table);
  const spans = [period, comparison?.span ?? null].map((span) =>
    span === null || since === null || span.end <= since ? null : { from: span.start, until: span.end },
  );
  const { found, keys, kept } = await grouped(stats, report, spans);
  const [current = [], earlier = []] = found;
  const [counts, compared] = [byGroup(current), byGroup(earlier)];
  const isCounted = isKnown(period, since, report.now);
  const isCompared = isKnown(comparison?.span ?? null, since, report.now);
  const rows = [...keys].map(([place, values]) => ({
    bucket: 0,
    keys: values,
    place,
    counts: isCounted ? (counts.get(place) ?? NO_COUNTS) : null,
    compared: isCompared ? (compared.get(place) ?? NO_COUNTS) : null,
  }));
  const totals = {
    counts: isCounted ? sumOf(current) : null,
    compared: isCompared ? sumOf(earlier) : null,
  };
  return { rows: inOrder(rows, report), totals, since, kept };
}

/** The counts of both periods and their groups: all of them, or, where these are too many, those that have the most events. */
async function grouped(stats: ReportStats, report: Report, spans: readonly (ReportSpan | null)[]) {
  const keysOf = (found: readonly (readonly ReportCount[])[]) => {
    const keys = new Map(found.flat().map((one) => [placeOf(one.keys), one.keys]));
    if (report.groupBy.length === 0) keys.set(placeOf([]), []);
    return keys;
  };
  const count = (most: number, kept?: Kept) =>
    Promise.all(
      spans.map((span) =>
        span === null ? Promise.resolve([]) : countsIn(stats, report, span, most + 1, kept),
      ),
    );
  const hasTexts = report.dimensions.some((dimension) => REPORT_DIMENSIONS[dimension].form === "text");
  const most = hasTexts ? MOST_TEXTS : MOST_GROUPS;
  const all = await count(most);
  const keys = keysOf(all);
  if (keys.size <= most) return { found: all, keys, kept: undefined };
  if (!hasTexts) throw tooMany();
  const kept = await stats.mostCounted(
    report,
    spans.filter((span) => span !== null),
    most,
  );
  const found = await count(2 * most, kept);
  const shown = keysOf(found);
  if (shown.size > 2 * most) throw tooMany();
  return { found, keys: shown, kept };
}

function sumOf(counts: readonly ReportCounts[]): ReportCounts {
  return counts.reduce(addCounts, NO_COUNTS);
}

/** Where what is counted begins: the period, or the one before. */
export function earliestOf({ period, comparison }: Report): number {
  return Math.min(period.start, comparison?.span?.start ?? period.start);
}

/** Whether the report has a row for each bucket of time. */
export function isByTime({ granularity }: Report): boolean {
  return granularity !== "none";
}

/** The rows of the buckets from `first` on, before `end`, in the report's order: one for each group and bucket. */
export async function readRows(
  stats: ReportStats,
  report: Report,
  { rows: groups, since, kept }: Groups,
  first: number,
  end: number,
): Promise<readonly CountedRow[]> {
  if (!isByTime(report)) return groups;
  const buckets = report.buckets.slice(first, end);
  const earlier = buckets.map((bucket) => report.comparison?.spanOf(bucket) ?? null);
  const [counts, compared] = await Promise.all([
    countsOfSpans(stats, report, { since, kept }, buckets),
    countsOfSpans(stats, report, { since, kept }, earlier),
  ]);
  return buckets.flatMap((bucket, n) => {
    const span = earlier[n] ?? null;
    const countsThere = isKnown(bucket, since, report.now) ? counts[n] : undefined;
    const comparedThere = isKnown(span, since, report.now) ? compared[n] : undefined;
    const rows = groups.map(({ keys, place }) => ({
      bucket: first + n,
      keys,
      place,
      counts: countsThere === undefined ? null : (countsThere.get(place) ?? NO_COUNTS),
      compared: comparedThere === undefined ? null : (comparedThere.get(place) ?? NO_COUNTS),
    }));
    return inOrder(rows, report);
  });
}

/** The counts of some spans by group. They may overlap and have gaps, so the store counts what is between all their ends. */
async function countsOfSpans(
  stats: ReportStats,
  report: Report,
  { since, kept }: Pick<Groups, "since" | "kept">,
  spans: readonly (Span | null)[],
) {
  const known = spans.filter((span): span is Span => isKnown(span, since, report.now));
  const ends = [...new Set(known.flatMap(({ start, end }) => [start, end]))].sort(
    (one, other) => one - other,
  );
  const [from, until] = [ends[0], ends.at(-1)];
  if (from === undefined || until === undefined) return [];
  const starts = ends.slice(0, -1);
  const found = Map.groupBy(
    await countsIn(stats, report, { from, until, starts }, MOST_ROWS, kept),
    ({ start }) => start,
  );
  let at = 0;
  return spans.map((span) => {
    if (span === null) return undefined;
    if ((starts[at] ?? 0) > span.start) at = 0;
    while (at < starts.length && (starts[at] ?? 0) < span.start) at += 1;
    const parts: ReportCount[] = [];
    for (let part = at; part < starts.length && (starts[part] ?? 0) < span.end; part += 1) {
      for (const count of found.get(starts[part] ?? 0) ?? []) parts.push(count);
    }
    return byGroup(parts);
  });
}

async function countsIn(
  stats: ReportStats,
  { workspaceId, groupBy, where }: Report,
  time: { readonly from: number; readonly until: number; readonly starts?: readonly number[] },
  most: number,
  kept: Kept,
): Promise<ReportCount[]> {
  const apart = kept === undefined ? {} : { kept };
  return await stats.reportCounts({ workspaceId, groupBy, where, ...time, ...apart }, most);
}

function byGroup(counts: readonly ReportCount[]): ReadonlyMap<string, ReportCounts> {
  const sums = new Map<string, ReportCounts>();
  for (const count of counts) {
    const place = placeOf(count.keys);
    const sum = sums.get(place);
    sums.set(place, sum === undefined ? count : addCounts(sum, count));
  }
  return sums;
}

/** No value has a line break. */
function placeOf(keys: GroupKeys): string {
  return keys.map((key) => key ?? "\n").join("\n\n");
}

function inOrder(rows: readonly CountedRow[], { sort }: Report): CountedRow[] {
  const bySort = compareCounts(sort);
  return rows.toSorted(
    (one, other) =>
      bySort(one.counts ?? NO_COUNTS, other.counts ?? NO_COUNTS) || (one.place < other.place ? -1 : 1),
  );
}

/** Whether a span has begun and ended after the workspace's first event. */
function isKnown(span: Span | null, since: number | null, now: number): boolean {
  return span !== null && since !== null && span.end > since && span.start <= now;
}

function tooMany() {
  const most = MOST_GROUPS.toLocaleString("en-US");
  return refused(
    "groupBy",
    `The report has more than ${most} values or pairs of values. Filter some out, or split it less.`,
  );
}
