import type { Refusal } from "./error-reasons.ts";

export const AD_STATUSES = ["Pending", "Approved", "Rejected"] as const;

/**
 * Where an ad is in review.
 *
 *     Pending ──approve──▶ Approved ──reject──▶ Rejected
 *       │ ▲  └─────────────reject──────────────────▲
 *       └─┘ request-changes, submission
 *
 * Rejected is final: its subscription is canceled with it.
 */
export type AdStatus = (typeof AD_STATUSES)[number];

export type ReviewAction = "approve" | "reject" | "request-changes" | "submit";

const ALLOWED: Record<ReviewAction, { from: readonly AdStatus[]; sentence: string }> = {
  approve: { from: ["Pending"], sentence: "Only a pending ad can be approved." },
  reject: { from: ["Pending", "Approved"], sentence: "The ad is rejected already." },
  "request-changes": {
    from: ["Pending"],
    sentence: "Changes can only be requested while the ad is pending.",
  },
  submit: { from: ["Pending", "Approved"], sentence: "The ad was rejected and takes no further submission." },
};

/** Null when the action is allowed in that status, else why not. */
export function reviewRefusal(action: ReviewAction, status: AdStatus): Refusal | null {
  const { from, sentence } = ALLOWED[action];
  if (from.includes(status)) return null;
  return { reason: status === "Rejected" ? "AD_REJECTED" : "AD_ALREADY_APPROVED", sentence };
}
