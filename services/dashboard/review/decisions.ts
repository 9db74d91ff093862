import type { Ad } from "#libs/contract/ad.ts";
import { AT_RESUMPTION, ifResumed } from "#libs/domain/pause-words.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { hasEnded, isOverdue, plannedEnd } from "#libs/domain/subscription.ts";
import { formatDate } from "../components/format.ts";

/** Decisions whose effects are shown before they are made. */
export const EXPLAINED_ACTIONS = ["request-changes", "pause", "resume", "reject"] as const;
type ExplainedAction = (typeof EXPLAINED_ACTIONS)[number];
/** What a publisher can decide about an ad. */
export type AdAction = "approve" | ExplainedAction;

/** Whether a decision is about submitted content, so that another submission may be next. */
export function isReview(action: AdAction): boolean {
  return action !== "pause" && action !== "resume";
}

/** The success message of each decision on an ad. */
export function adDone({ status }: Pick<Ad, "status">): Readonly<Record<AdAction, string>> {
  return {
    approve: "Ad approved",
    "request-changes": "Changes requested",
    reject: status === "Approved" ? "Ad taken down" : "Ad rejected",
    pause: "Ad paused",
    resume: "Ad resumed",
  };
}

/** The words of a dialog before a decision: its effects on the ad, the subscription and the billing. */
export interface DecisionWords {
  readonly title: string;
  readonly effects: readonly string[];
  /** The label of the button. */
  readonly action: string;
}

/** The decisions that the ad allows now, in the order of their buttons: the final one comes last. */
export function allowedActions(ad: Pick<Ad, "status" | "subscription">, isServing: boolean): AdAction[] {
  const isOver = hasEnded(ad.subscription.status);
  const isAllowed: Readonly<Record<AdAction, boolean>> = {
    // After the end neither brings an ad on the air.
    approve: reviewRefusal("approve", ad.status) === null && !isOver,
    "request-changes": reviewRefusal("request-changes", ad.status) === null && !isOver,
    reject: reviewRefusal("reject", ad.status) === null,
    pause: isServing,
    resume: ad.subscription.status === "Paused",
  };
  return (["approve", ...EXPLAINED_ACTIONS] as const).filter((action) => isAllowed[action]);
}

/** The words for a decision on this ad. */
export function decisionWords(
  action: ExplainedAction,
  ad: Pick<Ad, "name" | "status" | "subscription">,
): DecisionWords {
  const isFree = ad.subscription.tierPrice.amount === 0;
  switch (action) {
    case "request-changes":
      return {
        title: "Request changes",
        effects: [
          "The advertiser gets your note by email with a link to submit again.",
          "The ad waits for the advertiser, and isn’t shown until you approve it.",
          isFree ? "The subscription continues." : "The subscription continues and billing is unchanged.",
        ],
        action: "Request changes",
      };
    case "reject":
      return {
        title: ad.status === "Approved" ? "Take down the ad" : "Reject the ad",
        effects: [
          ...(ad.status === "Approved" ? ["The ad stops showing immediately."] : []),
          "This can’t be undone; the advertiser can’t resubmit. They get your note by email.",
          endOfSubscription(ad, isFree),
        ],
        action: ad.status === "Approved" ? "Take down" : "Reject ad",
      };
    case "pause":
      return {
        title: `Pause “${ad.name}”?`,
        effects: [
          "The ad stops showing immediately.",
          isFree ? "You can resume it at any time." : untilResumed(ad),
        ],
        action: "Pause",
      };
    case "resume":
      return {
        title: `Resume “${ad.name}”?`,
        effects: [
          ad.status === "Approved" ? "It goes live again immediately." : "The subscription continues.",
          ...(isFree ? [] : [onceResumed(ad)]),
        ],
        action: "Resume",
      };
  }
}

/** In the words that the advertiser reads as well, with the dashboard's apostrophes. */
function untilResumed({ subscription }: Pick<Ad, "subscription">): string {
  const end = subscription.cancelAtPeriodEnd ? plannedEnd(subscription) : null;
  const period = isOverdue(subscription.status) ? "owed" : "paid";
  const then =
    end === null
      ? AT_RESUMPTION[period]
      : `The subscription ends on ${formatDate(end)}${ifResumed(period, "you resume the ad")}`;
  return `Nothing is charged until you resume it. ${then}`.replaceAll("'", "’");
}

function onceResumed({ subscription }: Pick<Ad, "subscription">): string {
  const { awaitsCharge, cancelAtPeriodEnd: isLast } = subscription;
  if (awaitsCharge)
    return isLast
      ? "The subscription ends immediately: it is canceled, and its period was never paid."
      : "A new billing period begins, and is charged now.";
  const then = isLast ? ", then the subscription ends" : "";
  return `The rest of the paid period runs from now${then}. A payment that’s due is made now.`;
}

function endOfSubscription({ subscription }: Pick<Ad, "subscription">, isFree: boolean): string {
  const { status } = subscription;
  if (hasEnded(status)) return "Its subscription has already ended.";
  return isFree
    ? "Its subscription is canceled immediately."
    : "Its subscription is canceled immediately: nothing more is charged.";
}

/** What a publisher can decide about an edit. */
export type RevisionAction = "approve" | "request-changes" | "reject";

/** The success message of each decision on an edit. */
export const REVISION_DONE: Readonly<Record<RevisionAction, string>> = {
  approve: "Edit approved and live",
  "request-changes": "Changes requested",
  reject: "Edit rejected",
};

/** The words for a decision on an edit. None of them affects the subscription. */
export const REVISION_WORDS: Readonly<Record<Exclude<RevisionAction, "approve">, DecisionWords>> = {
  "request-changes": {
    title: "Request changes to the edit",
    effects: [
      "The advertiser gets your note by email with a link to submit again.",
      "The current version stays live, and the edit stays open.",
      "The subscription and billing are unchanged.",
    ],
    action: "Request changes",
  },
  reject: {
    title: "Reject the edit",
    effects: [
      "The edit is dropped. The advertiser gets your note by email and can submit another.",
      "The current version stays live, unchanged.",
      "The subscription and billing are unchanged.",
    ],
    action: "Reject edit",
  },
};
