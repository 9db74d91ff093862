import type { z } from "zod";
import type { advertiser, listedAdvertiser } from "#libs/contract/advertisers.ts";

export type Advertiser = z.output<typeof advertiser>;
export type ListedAdvertiser = z.output<typeof listedAdvertiser>;

/** Where an advertiser stands: paying, about to stop, gone, or without a running subscription yet. */
export type AdvertiserState = "active" | "canceling" | "churned" | "waiting";

/** The most telling of what the totals say. */
export function advertiserState(
  totals: Pick<ListedAdvertiser["totals"], "activeSubscriptions" | "canceling" | "churnedAt">,
): AdvertiserState {
  if (totals.churnedAt !== null) return "churned";
  if (totals.canceling) return "canceling";
  return totals.activeSubscriptions > 0 ? "active" : "waiting";
}
