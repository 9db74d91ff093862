import type { Granularity } from "./report-buckets.ts";
import type { PlaceDimension } from "./report-dimensions.ts";

/** What advertisers may split the report of their ad by until the publisher says otherwise. */
export const USUAL_ADVERTISER_SPLITS: readonly PlaceDimension[] = ["country", "device"];

/** The times that the report of an advertiser has a row for. */
export const ADVERTISER_STEPS = ["day", "week", "month"] as const satisfies readonly Granularity[];
export type AdvertiserStep = (typeof ADVERTISER_STEPS)[number];

/** A smaller count of one value of a split is not shown: it could point at single people. */
const SMALLEST_SHOWN = 5;
export const FEWER = `<${SMALLEST_SHOWN}`;

/** A count of one value of a split as advertisers may see it. */
export function shownCount(count: number): number | typeof FEWER {
  return count < SMALLEST_SHOWN ? FEWER : count;
}
