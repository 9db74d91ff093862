import type { EventKind } from "./event.ts";

/** What is allowed to an address, and what is a duplicate. A limit or window of 0 is off. */
export interface TrackingLimits {
  /** Events per minute, address and ad, unless the ad's publisher has others. */
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
  /** How long an event of the same visitor, ad and kind is a duplicate, in milliseconds. */
  readonly impressionWindowMs: number;
  readonly clickWindowMs: number;
}

/** A repeated view or click of a visitor within this time is a duplicate, in milliseconds. */
export const DUPLICATE_WINDOWS_MS: Readonly<Record<EventKind, number>> = { impression: 10_000, click: 2_000 };

/** The limits of tracking. */
export function trackingLimits(
  settings: Pick<TrackingLimits, "impressionsPerMinute" | "clicksPerMinute">,
): TrackingLimits {
  const { impressionsPerMinute, clicksPerMinute } = settings;
  return {
    impressionsPerMinute,
    clicksPerMinute,
    impressionWindowMs: DUPLICATE_WINDOWS_MS.impression,
    clickWindowMs: DUPLICATE_WINDOWS_MS.click,
  };
}
