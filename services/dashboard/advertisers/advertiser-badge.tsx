import type { ListedAdvertiser } from "#libs/contract/advertisers.ts";
import { StateBadge } from "../components/badges.tsx";

const WORDS: Readonly<Record<AdvertiserState, { readonly color: string; readonly text: string }>> = {
  pastDue: { color: "red", text: "Past due" },
  paused: { color: "yellow", text: "Paused" },
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
type AdvertiserState = "pastDue" | "paused" | "active" | "canceling" | "churned" | "waiting";

export function advertiserState(
  totals: Pick<
    ListedAdvertiser["totals"],
    "activeSubscriptions" | "pastDueSubscriptions" | "pausedSubscriptions" | "canceling" | "churnedAt"
  >,
): AdvertiserState {
  if (totals.pastDueSubscriptions > 0) return "pastDue";
  if (totals.churnedAt !== null) return "churned";
  if (totals.canceling) return "canceling";
  if (totals.activeSubscriptions > 0) return "active";
  return totals.pausedSubscriptions > 0 ? "paused" : "waiting";
}
