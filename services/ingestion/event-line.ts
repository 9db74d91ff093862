import { EVENT_COLUMNS, EVENT_KINDS, EVENT_SOURCES, isStorableTime, VERDICTS } from "#libs/domain/event.ts";
import { PLACE_COLUMNS, PLACE_LENGTHS } from "#libs/domain/event-place.ts";
import { readLoggedLine } from "#libs/domain/logged-event.ts";
import type { EventKey } from "#libs/stats-store/index.ts";

const NEWLINE = 10;
const KINDS: readonly unknown[] = EVENT_KINDS;
const JUDGED: readonly unknown[] = VERDICTS;
/** Rows of the form that an earlier release inserts have none. */
const SOURCES: readonly unknown[] = ["", ...EVENT_SOURCES];
/** The texts of a row, with their longest form in bytes: more than any of ours, and what every store takes as a parameter. */
const TEXTS = [
  ["event_id", 128],
  ["workspace_id", 128],
  ["ad_id", 128],
  ["visitor", 16],
  ...PLACE_COLUMNS.map((column) => [column, 4 * PLACE_LENGTHS[column]] as const),
] as const;

/** The non-blank lines as views of the same bytes, each with its newline. */
export function splitLines(rows: readonly Buffer[]): Buffer[] {
  const lines: Buffer[] = [];
  for (const buffer of rows) {
    for (let start = 0; start < buffer.length; ) {
      const newline = buffer.indexOf(NEWLINE, start);
      const end = newline < 0 ? buffer.length : newline + 1;
      if (end - start > 1 || newline < 0) lines.push(buffer.subarray(start, end));
      start = end;
    }
  }
  return lines;
}

/** The key of a line's event, or null if the line is not an event. */
export function eventKeyOf(line: Buffer): EventKey | null {
  const logged = readLoggedLine(line.toString("latin1").trimEnd());
  if (logged !== null) {
    const { id, workspaceId, adId, occurredAt } = logged;
    return { id, workspaceId, adId, occurredAt };
  }
  if (invalidityOf(line) !== null) return null;
  const row: unknown[] = JSON.parse(line.toString());
  const at = (column: (typeof EVENT_COLUMNS)[number]): unknown => row[EVENT_COLUMNS.indexOf(column)];
  return {
    id: String(at("event_id")),
    workspaceId: String(at("workspace_id")),
    adId: String(at("ad_id")),
    occurredAt: Number(at("occurred_at")),
  };
}

/** Why a line is no valid event row, in a few words, or null when it is valid. */
export function invalidityOf(line: Buffer): string | null {
  let row: unknown;
  try {
    row = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch (error) {
    return error instanceof SyntaxError ? "not JSON" : "not UTF-8";
  }
  if (!Array.isArray(row)) return "not an array";
  if (row.length !== EVENT_COLUMNS.length) return `${row.length} values instead of ${EVENT_COLUMNS.length}`;
  const at = (column: (typeof EVENT_COLUMNS)[number]): unknown => row[EVENT_COLUMNS.indexOf(column)];
  for (const [column, mostBytes] of TEXTS) {
    const text = at(column);
    if (typeof text !== "string") return `${column} is not a text`;
    if (Buffer.byteLength(text) > mostBytes) return `${column} is too long`;
  }
  if (!KINDS.includes(at("kind"))) return "kind is unknown";
  if (!JUDGED.includes(at("verdict"))) return "verdict is unknown";
  if (!SOURCES.includes(at("source"))) return "source is unknown";
  const occurredAt = at("occurred_at");
  if (typeof occurredAt !== "number" || !Number.isInteger(occurredAt)) return "occurred_at is not an integer";
  if (!isStorableTime(occurredAt)) return "occurred_at is out of range";
  return null;
}
