import type { Kysely } from "kysely";
import type { ReportRow } from "#libs/contract/reports.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isNamed } from "#libs/domain/report-dimensions.ts";
import { streamCsv } from "../api/csv.ts";
import { type PartTurn, partTurnsOf } from "../api/turns.ts";
import { type Names, namesOf, rowPresenter } from "./present.ts";
import { type CountedRow, type Groups, isByTime, type ReportStats, readRows } from "./read.ts";
import type { Report } from "./understand.ts";

/** Lines that are read and written at a time: other requests wait meanwhile. Of a bucket with more, the rest is kept. */
const LINES_AT_A_TIME = 2_000;
/** Measured: keys, place and two counts, without their texts. */
const BYTES_OF_ROW = 240;
/** A character takes these bytes: it is in the key and in the place, with two at most in each. */
const BYTES_OF_CHARACTER = 4;

/** What of a file is still to be written: rows that were read, and all buckets from `next` on. */
interface Rest {
  readonly rows: readonly CountedRow[];
  readonly next: number;
}

/** All rows of a report as CSV, in its order. Needs the memory of its groups and some buckets, whatever the period. */
export async function reportCsv(db: Kysely<Tables>, stats: ReportStats, report: Report, groups: Groups) {
  const count = isByTime(report) ? report.buckets.length : 1;
  const atATime = Math.max(1, Math.floor(LINES_AT_A_TIME / Math.max(1, groups.rows.length)));
  const present = rowPresenter(report);
  let names: Names = {};
  const laterTurn = await partTurnsOf(db, report.workspaceId);
  let isBegun = false;
  // The first part is read in the turn in which the report is counted: it must not keep that while it waits for another.
  const turn: PartTurn = (read) => {
    const run = isBegun ? laterTurn(read) : read();
    isBegun = true;
    return run;
  };
  return await streamCsv(turn, columnsOf(report), async ({ rows, next }: Rest = { rows: [], next: 0 }) => {
    const isRead = rows.length > 0;
    const end = isRead ? next : Math.min(next + atATime, count);
    const found = isRead ? rows : await readRows(stats, report, groups, next, end);
    const [now, later] = [found.slice(0, LINES_AT_A_TIME), found.slice(LINES_AT_A_TIME)];
    names = await namesOf(db, report, now, names);
    return {
      lines: now.map((row) => lineOf(present(row, names))),
      next: later.length === 0 && end === count ? null : { rows: later, next: end },
    };
  });
}

/** What a file keeps in memory until it is read, about: its groups, and the rows of a bucket, which have the same keys. */
export function heldBytesOf(report: Report, { rows }: Groups): number {
  const characters = rows.reduce((sum, { place }) => sum + place.length, 0);
  return (isByTime(report) ? 2 : 1) * rows.length * BYTES_OF_ROW + characters * BYTES_OF_CHARACTER;
}

type Cell = string | number | null;

function columnsOf(report: Report): string[] {
  const time = (before: string) => (isByTime(report) ? [`${before}time`] : []);
  const metrics = (before: string) => report.metrics.map((metric) => `${before}${metric}`);
  return [
    ...time(""),
    ...report.dimensions.flatMap((dimension) =>
      isNamed(dimension) ? [`${dimension}Id`, `${dimension}Name`] : [dimension],
    ),
    ...metrics(""),
    ...(report.comparison === null ? [] : [...time(EARLIER), ...metrics(EARLIER)]),
  ];
}

/** Before what is of the earlier period, as its place in the JSON form. */
const EARLIER = "comparison.";

function lineOf({ dimensions, metrics, comparison }: ReportRow): Record<string, Cell> {
  const line: Record<string, Cell> = {};
  for (const [dimension, value] of Object.entries(dimensions)) {
    if (typeof value === "string") line[dimension] = value;
    else [line[`${dimension}Id`], line[`${dimension}Name`]] = [value?.id ?? null, value?.name ?? null];
  }
  for (const [metric, value] of Object.entries(metrics)) line[metric] = value;
  for (const [metric, value] of Object.entries(comparison?.metrics ?? {}))
    line[`${EARLIER}${metric}`] = value;
  if (comparison?.time !== undefined) line[`${EARLIER}time`] = comparison.time;
  return line;
}
