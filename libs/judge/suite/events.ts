import type { EventKind } from "#libs/domain/event.ts";
import type { EventToJudge, Judge, JudgedRange, Judgement, PrivateVisitor } from "../port.ts";

/** A moment in the middle of a minute, so that tests choose when they cross into the next. */
export const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
const MINUTE_MS = 60_000;

/** Judges of the adapter under test that have seen nothing yet; judges of one call share what they know. */
export type Fresh = () => Judge;

export interface Visit {
  readonly adId?: string;
  readonly kind?: EventKind;
  readonly address?: string;
  readonly visitor?: string | null;
  readonly isPrivate?: boolean;
  readonly occurredAt?: number;
  /** Milliseconds between occurrence and append. */
  readonly lateMs?: number;
  readonly limit?: number;
  readonly windowMs?: number;
}

/** An impression at noon that can count, by the usual windows and without a limit. */
export function anEvent(visit: Visit = {}): EventToJudge {
  const { adId = "ad_0", kind = "impression", address = "a0", visitor = "0123456789abcdef" } = visit;
  const { occurredAt = NOON, lateMs = 5, limit = 0, isPrivate = false } = visit;
  const windowMs = visit.windowMs ?? (kind === "click" ? 2_000 : 10_000);
  return {
    adId,
    kind,
    occurredAt,
    appendedAt: occurredAt + lateMs,
    limitKey: `${address} ${adId} ${kind} ${Math.floor(occurredAt / MINUTE_MS)}`,
    limit,
    windowMs,
    visitor: isPrivate && visitor !== null ? privately(adId, kind, visitor, occurredAt, windowMs) : visitor,
  };
}

function privately(
  adId: string,
  kind: EventKind,
  visitor: string,
  occurredAt: number,
  windowMs: number,
): PrivateVisitor {
  const window = Math.floor(occurredAt / windowMs);
  const keyOf = (of: number) => `${visitor} ${adId} ${kind} ${of}`;
  return { own: keyOf(window), before: keyOf(window - 1) };
}

/** A range of one batch. */
export function aRange(first: number, origin = "log"): JudgedRange {
  return { origin, first: BigInt(first), name: `${origin}:${first}-${first}` };
}

let lists = 0;

/** Judges events as a range of their own. */
export function judgementsOf(judge: Judge, visits: readonly Visit[]): Promise<readonly Judgement[]> {
  lists += 1;
  return judge.judge(visits.map(anEvent), aRange(lists, "lists"));
}
