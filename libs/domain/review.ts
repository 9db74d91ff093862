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

const ALLOWED: Record<ReviewAction, { from: readonly AdStatus[]; refusal: string }> = {
  approve: { from: ["Pending"], refusal: "Only a pending ad can be approved." },
  reject: { from: ["Pending", "Approved"], refusal: "The ad is rejected already." },
  "request-changes": { from: ["Pending"], refusal: "Changes can only be requested while the ad is pending." },
  submit: { from: ["Pending", "Approved"], refusal: "The ad was rejected and takes no further submission." },
};

/** Null when the action is allowed in that status, else the sentence that tells why not. */
export function reviewRefusal(action: ReviewAction, status: AdStatus): string | null {
  const { from, refusal } = ALLOWED[action];
  return from.includes(status) ? null : refusal;
}
