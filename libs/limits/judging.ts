import { ForgettingTable } from "./forgetting-table.ts";
import type { EventToJudge, Judgement, TrackingLimits } from "./port.ts";

const MINUTE_MS = 60_000;

/** Judges events one after the other, by their own times. */
export interface Judge {
  judge(event: EventToJudge): Judgement;
  clear(): void;
}

/**
 * The rules, in their order:
 * 1. An address that has had its limit for the ad and kind in this minute (by the clock) is `limited`. Every other
 *    event takes one from the limit, whether it can count or not. A limit that changes holds for the minute under way.
 * 2. A countable event within the window of one that counted, by the same visitor, ad and kind, is a `duplicate`.
 *    Duplicates do not prolong the window, so a visitor who comes back every few seconds counts once a window.
 * 3. The rest is `fresh`.
 */
export function createJudge(
  limits: TrackingLimits,
  maxKeys: number,
  onForget: (entries: number) => void,
): Judge {
  const impressions = { limit: limits.impressionsPerMinute, windowMs: limits.impressionWindowMs, mark: "i" };
  const clicks = { limit: limits.clicksPerMinute, windowMs: limits.clickWindowMs, mark: "c" };
  const taken = new ForgettingTable(maxKeys, onForget);
  const countedImpressions = new ForgettingTable(maxKeys, onForget);
  const countedClicks = new ForgettingTable(maxKeys, onForget);

  function isLimited(event: EventToJudge, limit: number, mark: string): boolean {
    if (limit === 0) return false;
    const minute = Math.floor(event.occurredAt / MINUTE_MS);
    const key = `${mark}${event.address}`;
    const already = taken.get(minute, event.adId, key) ?? 0;
    if (already >= limit) return true;
    taken.set(minute, event.adId, key, already + 1);
    return false;
  }

  function isDuplicate(event: EventToJudge, counted: ForgettingTable, windowMs: number): boolean {
    if (windowMs === 0 || !event.countable) return false;
    const { occurredAt, adId, visitor } = event;
    if (counted.some(adId, visitor, (at) => Math.abs(occurredAt - at) < windowMs)) return true;
    counted.set(Math.floor(occurredAt / windowMs), adId, visitor, occurredAt);
    return false;
  }

  return {
    judge(event) {
      const isClick = event.kind === "click";
      const { limit, windowMs, mark } = isClick ? clicks : impressions;
      if (isLimited(event, event.limit ?? limit, mark)) return "limited";
      return isDuplicate(event, isClick ? countedClicks : countedImpressions, windowMs)
        ? "duplicate"
        : "fresh";
    },
    clear() {
      taken.clear();
      countedImpressions.clear();
      countedClicks.clear();
    },
  };
}
