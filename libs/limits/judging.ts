import type { EventToJudge, Judgement, TrackingLimits } from "./port.ts";
import { TimedNumbers } from "./timed-numbers.ts";

const MINUTE_MS = 60_000;
/** Batches are numbered modulo this. */
export const BATCH_NUMBERS = 2048;
/** Replaces a mark that was undone: it is within no window of any event. */
const NO_MARK = Number.NaN;

/** A judgement; a duplicate names the batch of its original. */
export type Ruling = Exclude<Judgement, "duplicate"> | { readonly duplicateOf: number };

export interface NumberedBatch {
  /** Less than `BATCH_NUMBERS`. */
  readonly number: number;
  readonly isOfAnyTime: boolean;
}

/** Judges events one after the other, by their own times. */
export interface Judge {
  judge(event: EventToJudge, batch: NumberedBatch): Ruling;
  /** Undoes the mark and the used limit of an event that was judged as `judgement`. */
  undo(event: EventToJudge, batch: NumberedBatch, judgement: Judgement): void;
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
  const taken = new TimedNumbers(maxKeys, onForget);
  const impressions = {
    limit: limits.impressionsPerMinute,
    windowMs: limits.impressionWindowMs,
    mark: "i",
    counted: new TimedNumbers(maxKeys, onForget),
  };
  const clicks = {
    limit: limits.clicksPerMinute,
    windowMs: limits.clickWindowMs,
    mark: "c",
    counted: new TimedNumbers(maxKeys, onForget),
  };
  const rulesOf = ({ kind }: EventToJudge) => (kind === "click" ? clicks : impressions);

  function isLimited(event: EventToJudge, limit: number, mark: string, isOfAnyTime: boolean): boolean {
    if (limit === 0) return false;
    const minute = Math.floor(event.occurredAt / MINUTE_MS);
    const key = `${mark}${event.address}`;
    if (taken.sum(minute, event.adId, key) >= limit) return true;
    taken.add(minute, event.adId, key, isOfAnyTime, 1);
    return false;
  }

  return {
    judge(event, { number, isOfAnyTime }) {
      const { limit, windowMs, mark, counted } = rulesOf(event);
      if (isLimited(event, event.limit ?? limit, mark, isOfAnyTime)) return "limited";
      if (windowMs === 0 || !event.countable) return "fresh";
      const { occurredAt, adId, visitor } = event;
      const isNear = (known: number) => Math.abs(occurredAt - timeOf(known)) < windowMs;
      const span = Math.floor(occurredAt / windowMs);
      const original = counted.find(span, adId, visitor, isNear);
      if (original !== undefined) return { duplicateOf: batchOf(original) };
      counted.set(span, adId, visitor, isOfAnyTime, markOf(occurredAt, number));
      return "fresh";
    },
    undo(event, { number, isOfAnyTime }, judgement) {
      if (judgement === "limited") return;
      const { mark, windowMs, counted } = rulesOf(event);
      const { occurredAt, adId, visitor } = event;
      taken.add(Math.floor(occurredAt / MINUTE_MS), adId, `${mark}${event.address}`, isOfAnyTime, -1);
      if (judgement !== "fresh" || windowMs === 0) return;
      const span = Math.floor(occurredAt / windowMs);
      counted.replace(span, adId, visitor, markOf(occurredAt, number), NO_MARK);
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
