import { Badge } from "@mantine/core";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ListedAd } from "./ad-shapes.ts";

interface StateBadgeProps {
  readonly color: string;
  readonly text: string;
}

/** A state in words, with a dot whose color only repeats them. */
export function StateBadge({ color, text }: StateBadgeProps) {
  return (
    <Badge
      variant="dot"
      color={color}
      tt="none"
      fw={500}
      size="lg"
      fz="xs"
      style={{ minWidth: "max-content" }}
    >
      {text}
    </Badge>
  );
}

/** Where an ad is in review. */
export function ReviewBadge({ ad }: { readonly ad: Pick<ListedAd, "status" | "rejectionNote"> }) {
  if (ad.status === "Approved") return <StateBadge color="teal" text="Approved" />;
  if (ad.status === "Rejected") return <StateBadge color="red" text="Rejected" />;
  return ad.rejectionNote === null ? (
    <StateBadge color="yellow" text="Pending" />
  ) : (
    <StateBadge color="blue" text="Changes requested" />
  );
}

/** Whether an ad is being served. */
export function ServingBadge({ isServing }: { readonly isServing: boolean }) {
  return isServing ? (
    <StateBadge color="teal" text="Serving" />
  ) : (
    <StateBadge color="gray.6" text="Not serving" />
  );
}

/** That there is an edit of a running ad, and who is to do something about it. */
export function EditBadge({ revision }: { readonly revision: { readonly note: string | null } }) {
  return revision.note === null ? (
    <StateBadge color="yellow" text="Edit to review" />
  ) : (
    <StateBadge color="blue" text="Edit: changes requested" />
  );
}

const SUBSCRIPTIONS: Readonly<Record<SubscriptionStatus, StateBadgeProps>> = {
  Trialing: { color: "blue", text: "Trial" },
  Active: { color: "teal", text: "Active" },
  PastDue: { color: "red", text: "Past due" },
  Canceled: { color: "gray.6", text: "Canceled" },
  Unpaid: { color: "red", text: "Unpaid" },
  Incomplete: { color: "yellow", text: "Incomplete" },
  IncompleteExpired: { color: "gray.6", text: "Never paid" },
  Paused: { color: "yellow", text: "Paused" },
};

/** The billing status. One that is to end says so. */
export function SubscriptionBadge({
  subscription,
}: {
  readonly subscription: Pick<ListedAd["subscription"], "status" | "cancelAtPeriodEnd" | "cancelAt">;
}) {
  const { status, cancelAtPeriodEnd, cancelAt } = subscription;
  const isEnding = (cancelAtPeriodEnd || cancelAt !== null) && (status === "Active" || status === "Trialing");
  return isEnding ? (
    <StateBadge color="orange" text="Canceling" />
  ) : (
    <StateBadge {...SUBSCRIPTIONS[status]} />
  );
}
