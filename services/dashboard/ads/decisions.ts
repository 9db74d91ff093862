import { reviewRefusal } from "#libs/domain/review.ts";
import type { Ad } from "./ad-shapes.ts";

export const AD_ACTIONS = ["approve", "request-changes", "reject", "pause", "resume"] as const;
/** What a publisher can decide about an ad. */
export type AdAction = (typeof AD_ACTIONS)[number];

/** What a decision is called, and what it does to the ad, its subscription and the money, in sentences. */
export interface DecisionWords {
  readonly title: string;
  readonly effects: readonly string[];
  /** The button that goes ahead. */
  readonly action: string;
  /** Said once it is done. */
  readonly done: string;
  readonly isDangerous: boolean;
}

/** The decisions that the ad allows now. */
export function allowedActions(ad: Pick<Ad, "status" | "subscription">, isServing: boolean): AdAction[] {
  const isAllowed: Readonly<Record<AdAction, boolean>> = {
    approve: reviewRefusal("approve", ad.status) === null,
    "request-changes": reviewRefusal("request-changes", ad.status) === null,
    reject: reviewRefusal("reject", ad.status) === null,
    pause: isServing,
    resume: ad.subscription.status === "Paused",
  };
  return AD_ACTIONS.filter((action) => isAllowed[action]);
}

/** What to say of a decision on this ad, before and after. */
export function decisionWords(
  action: AdAction,
  ad: Pick<Ad, "name" | "status" | "subscription">,
): DecisionWords {
  const isFree = ad.subscription.tierPrice.amount === 0;
  switch (action) {
    case "approve":
      return {
        title: "Approve the ad",
        effects: ["It is served within a second while its subscription is active. Billing stays as it is."],
        action: "Approve",
        done: "Ad approved",
        isDangerous: false,
      };
    case "request-changes":
      return {
        title: "Request changes",
        effects: [
          "The advertiser gets your note by e-mail with a link to submit again.",
          "The ad stays pending and off the air until you approve it.",
          isFree ? "The subscription goes on." : "The subscription goes on and is billed as before.",
        ],
        action: "Request changes",
        done: "Changes requested",
        isDangerous: false,
      };
    case "reject":
      return {
        title: "Reject the ad",
        effects: [
          ...(ad.status === "Approved" ? ["It goes off the air within a second."] : []),
          "This is final: the ad takes no further submission. The advertiser gets your note by e-mail.",
          endOfSubscription(ad, isFree),
        ],
        action: "Reject ad",
        done: "Ad rejected",
        isDangerous: true,
      };
    case "pause":
      return {
        title: `Pause “${ad.name}”?`,
        effects: [
          "It goes off the air within a second.",
          isFree
            ? "You can resume it at any time."
            : "Billing pauses with it: nothing is charged until you resume it. What has been paid is not given back.",
        ],
        action: "Pause",
        done: "Ad paused",
        isDangerous: false,
      };
    case "resume":
      return {
        title: `Resume “${ad.name}”?`,
        effects: [
          ad.status === "Approved" ? "It is served again within a second." : "The subscription goes on.",
          ...(isFree ? [] : ["The advertiser is charged again, from the next billing period on."]),
        ],
        action: "Resume",
        done: "Ad resumed",
        isDangerous: false,
      };
  }
}

function endOfSubscription({ subscription }: Pick<Ad, "subscription">, isFree: boolean): string {
  const { status } = subscription;
  if (status === "Canceled" || status === "IncompleteExpired") return "Its subscription has ended already.";
  return isFree
    ? "Its subscription is canceled at once."
    : "Its subscription is canceled at once: nothing more is charged. What has been paid is not given back by this; a refund is made at the payment processor.";
}
