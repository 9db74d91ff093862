import { ForgettingTable } from "./forgetting-table.ts";
import type { EventToJudge, Judgement, TrackingLimits } from "./port.ts";

const MINUTE_MS = 60_000;
/** Batches are numbered modulo this. */
export const BATCH_NUMBERS = 2048;
/** Replaces a mark that was undone: it is within no window of any event. */
const NO_MARK = Number.NaN;

/** A judgement; a duplicate names the batch of its original. */
export type Ruling = Exclude<Judgement, "duplicate"> | { readonly duplicateOf: number };

/** Judges events one after the other, by their own times. */
export interface Judge {
  /** `batch` is less than `BATCH_NUMBERS`. */
  judge(event: EventToJudge, batch: number): Ruling;
  /** Undoes the mark and the used limit of an event that was judged as `judgement`. */
  undo(event: EventToJudge, batch: number, judgement: Judgement): void;
  clear(): void;
}

/**
 * The rules, in their order:
 * 1. An address that has used up its limit for the ad and kind in this clock minute is `limited`. Every other event takes
 *    one from the limit, whether it can count or not. A changed limit applies to the current minute.
 * 2. A countable event within the window of one that counted, by the same visitor, ad and kind, is a `duplicate`.
 *    Duplicates do not prolong the window, so a visitor who returns every few seconds counts once per window.
 * 3. The rest is `fresh`.
 */
export function createJudge(
  limits: TrackingLimits,
  maxKeys: number,
  onForget: (entries: number) => void,
): Judge {
  const taken = new ForgettingTable(maxKeys, onForget);
  const impressions = {
    limit: limits.impressionsPerMinute,
    windowMs: limits.impressionWindowMs,
    mark: "i",
    counted: new ForgettingTable(maxKeys, onForget),
  };
  const clicks = {
    limit: limits.clicksPerMinute,
    windowMs: limits.clickWindowMs,
    mark: "c",
    counted: new ForgettingTable(maxKeys, onForget),
  };
  const rulesOf = ({ kind }: EventToJudge) => (kind === "click" ? clicks : impressions);

  function isLimited(event: EventToJudge, limit: number, mark: string): boolean {
    if (limit === 0) return false;
    const minute = Math.floor(event.occurredAt / MINUTE_MS);
    const key = `${mark}${event.address}`;
    const already = taken.get(minute, event.adId, key) ?? 0;
    if (already >= limit) return true;
    taken.set(minute, event.adId, key, already + 1);
    return false;
  }

  return {
    judge(event, batch) {
      const { limit, windowMs, mark, counted } = rulesOf(event);
      if (isLimited(event, event.limit ?? limit, mark)) return "limited";
      if (windowMs === 0 || !event.countable) return "fresh";
      const { occurredAt, adId, visitor } = event;
      const isNear = (known: number) => Math.abs(occurredAt - timeOf(known)) < windowMs;
      const original = counted.find(adId, visitor, isNear);
      if (original !== undefined) return { duplicateOf: batchOf(original) };
      counted.set(Math.floor(occurredAt / windowMs), adId, visitor, markOf(occurredAt, batch));
      return "fresh";
    },
    undo(event, batch, judgement) {
      if (judgement === "limited") return;
      const { mark, counted } = rulesOf(event);
      const { occurredAt, adId, visitor } = event;
      const minute = Math.floor(occurredAt / MINUTE_MS);
      const key = `${mark}${event.address}`;
      const already = taken.get(minute, adId, key) ?? 0;
      if (already > 0) taken.set(minute, adId, key, already - 1);
      if (judgement === "fresh") counted.replace(adId, visitor, markOf(occurredAt, batch), NO_MARK);
    },
    clear() {
      taken.clear();
      impressions.counted.clear();
      clicks.counted.clear();
    },
  };
}

/** Time and batch in one number: 42 bits of milliseconds, which last until 2109, and 11 of the batch. */
function markOf(occurredAt: number, batch: number): number {
  return occurredAt * BATCH_NUMBERS + batch;
}

function timeOf(mark: number): number {
  return Math.floor(mark / BATCH_NUMBERS);
}

function batchOf(mark: number): number {
  return mark - timeOf(mark) * BATCH_NUMBERS;
}
