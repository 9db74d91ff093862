/**
 * UTC days of an ad, as `2026-11-21`, both included, whose traffic its publisher has found invalid afterwards: what was `valid` in them
 * is read as `corrected`. The events stay as they are.
 */
export interface Correction {
  readonly adId: string;
  readonly from: string;
  readonly to: string;
}

export const CORRECTION_STATUSES = ["Proposed", "Applied", "Dismissed"] as const;
export type CorrectionStatus = (typeof CORRECTION_STATUSES)[number];

/** Most days of one correction. */
export const LONGEST_CORRECTION_DAYS = 366;
/** Clicks of one visitor on an ad within a day, from which a correction is proposed. */
export const PROPOSED_FROM_CLICKS = 20;
