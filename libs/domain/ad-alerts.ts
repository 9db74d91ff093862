import { NO_COUNTS, type ReportCounts } from "./report-dimensions.ts";

/** What is wrong with a live ad: nobody has seen it, or much of its traffic does not count. */
export type AdAlert = "unseen" | "invalid";

/** The longest time that an alert looks back on, in hours. */
export const MOST_ALERT_HOURS = 168;

/** Fewest events for which the invalid share is judged. */
const LEAST_EVENTS = 100;
/** An ad with 10 expected views has none by chance once in 22,000 cases (e^-10). */
const LEAST_EXPECTED_VIEWS = 10;

/** An ad that was live for the whole time that is looked at. */
export interface WatchedAd {
  readonly id: string;
  readonly weight: number;
}

/**
 * The alerts of a workspace's ads, by id. Each ad's share of the views is expected to be its share of the weights; one with fewer than
 * ten expected views is not reported as unseen, unless no ad has any.
 */
export function alertsOf(
  ads: readonly WatchedAd[],
  counted: ReadonlyMap<string, ReportCounts>,
  invalidPercent: number,
): Map<string, AdAlert> {
  const countsOf = ({ id }: WatchedAd) => counted.get(id) ?? NO_COUNTS;
  const views = ads.reduce((sum, ad) => sum + countsOf(ad).impressions, 0);
  const weights = ads.reduce((sum, { weight }) => sum + weight, 0);
  const alerts = new Map<string, AdAlert>();
  for (const ad of ads) {
    const { impressions, clicks, invalid } = countsOf(ad);
    const events = impressions + clicks + invalid;
    const isExpected = views === 0 || (views * ad.weight) / weights >= LEAST_EXPECTED_VIEWS;
    if (events >= LEAST_EVENTS && invalid * 100 >= invalidPercent * events) alerts.set(ad.id, "invalid");
    else if (impressions === 0 && isExpected) alerts.set(ad.id, "unseen");
  }
  return alerts;
}
