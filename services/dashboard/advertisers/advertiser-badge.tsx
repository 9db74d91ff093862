import type { ListedAdvertiser } from "#libs/contract/advertisers.ts";
import { StateBadge } from "../components/badges.tsx";

const WORDS: Readonly<Record<AdvertiserState, { readonly color: string; readonly text: string }>> = {
  active: { color: "teal", text: "Active" },
  canceling: { color: "orange", text: "Canceling" },
  churned: { color: "gray.6", text: "Canceled" },
  waiting: { color: "yellow", text: "No active ads" },
};

/** The status of an advertiser. */
export function AdvertiserBadge({ totals }: Pick<ListedAdvertiser, "totals">) {
  return <StateBadge {...WORDS[advertiserState(totals)]} />;
}

/** `waiting` is an advertiser without an active subscription yet. */
type AdvertiserState = "active" | "canceling" | "churned" | "waiting";

export function advertiserState(
  totals: Pick<ListedAdvertiser["totals"], "activeSubscriptions" | "canceling" | "churnedAt">,
): AdvertiserState {
  if (totals.churnedAt !== null) return "churned";
  if (totals.canceling) return "canceling";
  return totals.activeSubscriptions > 0 ? "active" : "waiting";
}
