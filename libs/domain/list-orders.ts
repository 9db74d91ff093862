/** The counts that ads can be ordered by, the highest first; `ctr` is clicks per impression. */
const AD_RANKS = ["impressions", "clicks", "ctr"] as const;
export type AdRank = (typeof AD_RANKS)[number];

/** What a list of ads can be ordered by; the first is the usual. */
export const AD_ORDERS = ["newest", "oldest", "name", "tier", ...AD_RANKS] as const;
export type AdOrder = (typeof AD_ORDERS)[number];

/** What a list of advertisers can be ordered by; the first is the usual. */
export const ADVERTISER_ORDERS = ["newest", "oldest", "name", "monthly", "lifetime", "unpaid"] as const;
export type AdvertiserOrder = (typeof ADVERTISER_ORDERS)[number];

/** Whether an order of ads is one by counts, which the stats store knows. */
export function isRank(order: AdOrder): order is AdRank {
  return AD_RANKS.some((rank) => rank === order);
}
