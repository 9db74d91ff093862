/** The keys of a review. Buttons and links name theirs in `aria-keyshortcuts`. */
export const REVIEW_KEYS = {
  next: "j",
  previous: "k",
  approve: "a",
  "request-changes": "r",
  reject: "e",
} as const;
export type ReviewKey = keyof typeof REVIEW_KEYS;

/** Whether an action has a key. */
export function isReviewKey(action: string): action is ReviewKey {
  return Object.hasOwn(REVIEW_KEYS, action);
}
