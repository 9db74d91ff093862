import { setImmediate as nextRound } from "node:timers/promises";
import { inPieces } from "#libs/async/index.ts";
import type { EventKind, Verdict } from "#libs/domain/event.ts";
import { type LoggedLine, type RowForm, readLoggedLine, rowOf } from "#libs/domain/logged-event.ts";
import type { EventBatch } from "#libs/event-log/index.ts";
import type { EventToJudge, Judgement } from "./port.ts";

/** A line of a range: taken apart, or its text if there is nothing to judge. */
export type RangeLine = { readonly line: LoggedLine; readonly appendedAt: number } | string;

/** An event that got its verdict because of others. */
export interface JudgedCount {
  readonly kind: EventKind;
  readonly verdict: "duplicate" | "limited";
}

const PRIVATE_KEY_LENGTH = 16;
/** Some milliseconds of work: in one process, serving waits for it. */
export const EVENTS_AT_ONCE = 2_000;

/** Takes the lines of batches apart, blank ones left out. */
export async function readLines(
  batches: readonly Pick<EventBatch, "rows" | "appendedAt">[],
): Promise<RangeLine[]> {
  const lines: RangeLine[] = [];
  let most = EVENTS_AT_ONCE;
  for (const { rows, appendedAt } of batches) {
    if (lines.length >= most) {
      await nextRound();
      most = lines.length + EVENTS_AT_ONCE;
    }
    // latin1 has a character for each byte, so bytes that are not ASCII come out unchanged.
    for (const text of rows.toString("latin1").split("\n")) {
      if (text === "") continue;
      const line = readLoggedLine(text);
      lines.push(line === null ? text : { line, appendedAt: appendedAt ?? line.occurredAt });
    }
  }
  return lines;
}

/** The events of the lines that are judged. */
export function eventsOf(lines: readonly RangeLine[]): EventToJudge[] {
  return lines.flatMap((each) => (typeof each === "string" ? [] : eventOf(each)));
}

function eventOf({ line, appendedAt }: Exclude<RangeLine, string>): EventToJudge {
  const { adId, kind, verdict, occurredAt, limitKey, limit, windowMs } = line;
  const visitor = verdict === "valid" ? visitorOf(line) : null;
  return { adId, kind, occurredAt, appendedAt, limitKey, limit, windowMs, visitor };
}

function visitorOf({ visitor, privateKeys }: LoggedLine): EventToJudge["visitor"] {
  if (visitor !== "") return visitor;
  if (privateKeys === "") return null;
  return { own: privateKeys.slice(0, PRIVATE_KEY_LENGTH), before: privateKeys.slice(PRIVATE_KEY_LENGTH) };
}

/**
 * The rows of the lines, and the events that got a verdict because of others, which only `valid` ones can. The rows have the form that
 * is given.
 */
export async function judgedRows(
  lines: readonly RangeLine[],
  judgements: readonly Judgement[],
  form: RowForm = "whole",
): Promise<{ readonly rows: Buffer[]; readonly judged: JudgedCount[] }> {
  const rows: Buffer[] = [];
  const judged: JudgedCount[] = [];
  let next = 0;
  for await (const piece of inPieces(lines, EVENTS_AT_ONCE)) {
    let text = "";
    for (const each of piece) {
      if (typeof each === "string") {
        text += `${each}\n`;
        continue;
      }
      const { line } = each;
      const verdict = verdictByOthers(line.verdict, judgements[next]);
      next += 1;
      if (verdict !== null) judged.push({ kind: line.kind, verdict });
      text += rowOf(line, verdict ?? line.verdict, form);
    }
    rows.push(Buffer.from(text, "latin1"));
  }
  return { rows, judged };
}

function verdictByOthers(verdict: Verdict, judgement: Judgement | undefined): JudgedCount["verdict"] | null {
  if (judgement === undefined) throw new Error("There are fewer judgements than events.");
  return verdict === "valid" && judgement !== "fresh" ? judgement : null;
}
