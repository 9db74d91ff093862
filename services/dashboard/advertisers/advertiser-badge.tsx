import { StateBadge } from "../ads/badges.tsx";
import { type AdvertiserState, advertiserState, type ListedAdvertiser } from "./advertiser-state.ts";

const WORDS: Readonly<Record<AdvertiserState, { readonly color: string; readonly text: string }>> = {
  active: { color: "teal", text: "Active" },
  canceling: { color: "orange", text: "Canceling" },
  churned: { color: "gray.6", text: "Churned" },
  waiting: { color: "yellow", text: "Nothing running" },
};

/** Where an advertiser stands, in words. */
export function AdvertiserBadge({ totals }: Pick<ListedAdvertiser, "totals">) {
  return <StateBadge {...WORDS[advertiserState(totals)]} />;
}
