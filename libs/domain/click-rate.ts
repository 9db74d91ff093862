/** A click rate of fewer impressions is chance. */
const LEAST_FOR_CLICK_RATE = 100;

interface Counted {
  readonly impressions: number;
  readonly clicks: number;
}

/** The share of impressions that were clicked; null below 100 impressions. */
export function clickRateOf({ impressions, clicks }: Counted): number | null {
  return impressions < LEAST_FOR_CLICK_RATE ? null : clicks / impressions;
}

/** Says why there is no click rate yet; undefined where there is one. */
export function clickRateHint(counted: Counted): string | undefined {
  return clickRateOf(counted) === null ? `From ${LEAST_FOR_CLICK_RATE} impressions on` : undefined;
}
