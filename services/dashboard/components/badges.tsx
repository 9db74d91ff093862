import { Badge } from "@mantine/core";
import type { ReactElement } from "react";
import type { ListedAd } from "#libs/contract/ad.ts";
import { isOverdue, type SubscriptionFilter, type SubscriptionStatus } from "#libs/domain/subscription.ts";

/** The states of subscriptions that lists are narrowed to, as pages call them. */
export const SUBSCRIPTION_WORDS: Readonly<Record<SubscriptionFilter, string>> = {
  PastDue: "Past due",
  Paused: "Paused",
  Canceling: "Canceling",
  NeverRan: "Ended, never ran",
};

interface StateBadgeProps {
  readonly color: string;
  readonly text: string;
}

/** A status as text, with a dot whose color only repeats it. */
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

/** The review status of an ad. */
export function ReviewBadge({
  ad,
}: {
  readonly ad: Pick<ListedAd, "status" | "rejectionNote">;
}): ReactElement {
  switch (ad.status) {
    case "Approved":
      return <StateBadge color="teal" text="Approved" />;
    case "Rejected":
      return <StateBadge color="red" text="Rejected" />;
    case "Pending":
      return ad.rejectionNote === null ? (
        <StateBadge color="yellow" text="Pending" />
      ) : (
        <StateBadge color="blue" text="Changes requested" />
      );
  }
}

/** Whether an ad is live. */
function ServingBadge({ isServing }: { readonly isServing: boolean }) {
  return isServing ? <StateBadge color="teal" text="Live" /> : <StateBadge color="gray.6" text="Not live" />;
}

/** Whether an ad is live, and what its publisher has to know of its subscription: paused, past due or canceling. */
export function RunBadges({
  ad,
  isServing,
}: {
  readonly ad: Pick<ListedAd, "subscription">;
  readonly isServing: boolean;
}) {
  const { subscription } = ad;
  const { status } = subscription;
  const isOwed = isOverdue(status);
  const isEnding = isCanceling(subscription);
  const isTold = status === "Paused" || isOwed;
  return (
    <>
      {isTold && !isServing ? null : <ServingBadge isServing={isServing} />}
      {isTold || isEnding ? <SubscriptionBadge subscription={subscription} /> : null}
    </>
  );
}

/** The status of an edit: waiting for the publisher or for the advertiser. */
export function EditBadge({ revision }: { readonly revision: { readonly note: string | null } }) {
  return revision.note === null ? (
    <StateBadge color="yellow" text="Edit to review" />
  ) : (
    <StateBadge color="blue" text="Edit: changes requested" />
  );
}

const SUBSCRIPTIONS: Readonly<Record<SubscriptionStatus, StateBadgeProps>> = {
  Trialing: { color: "blue", text: "On trial" },
  Active: { color: "teal", text: "Active" },
  PastDue: { color: "red", text: "Past due" },
  Canceled: { color: "gray.6", text: "Canceled" },
  Unpaid: { color: "red", text: "Unpaid" },
  Incomplete: { color: "yellow", text: "Incomplete" },
  IncompleteExpired: { color: "gray.6", text: "Never paid" },
  Paused: { color: "yellow", text: "Paused" },
};

/** The billing status; "Canceling" for one that will end. */
export function SubscriptionBadge({
  subscription,
}: {
  readonly subscription: Pick<
    ListedAd["subscription"],
    "status" | "cancelAtPeriodEnd" | "cancelAt" | "chargeAt" | "awaitsApproval"
  >;
}) {
  const { status, chargeAt, awaitsApproval } = subscription;
  if (chargeAt === "approval" && awaitsApproval && status === "Trialing") {
    return <StateBadge color="blue" text="Charged at approval" />;
  }
  return isCanceling(subscription) ? (
    <StateBadge color="orange" text="Canceling" />
  ) : (
    <StateBadge {...SUBSCRIPTIONS[status]} />
  );
}

function isCanceling({
  status,
  cancelAtPeriodEnd,
  cancelAt,
}: Pick<ListedAd["subscription"], "status" | "cancelAtPeriodEnd" | "cancelAt">): boolean {
  return (cancelAtPeriodEnd || cancelAt !== null) && (status === "Active" || status === "Trialing");
}

/** A short neutral label beside a name: "Required". */
export function Flag({ text }: { readonly text: string }) {
  return (
    <Badge variant="default" tt="none" fw={500}>
      {text}
    </Badge>
  );
}
