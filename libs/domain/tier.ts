export const FEATURE_TYPES = ["neutral", "positive", "negative"] as const;

/** A line on a tier's card: what one gets (`positive`), does not get (`negative`), or plain text. */
export interface TierFeature {
  readonly label: string;
  readonly type: (typeof FEATURE_TYPES)[number];
}
