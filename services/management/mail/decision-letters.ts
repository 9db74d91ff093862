// Letters to advertisers about a review, and what a decision means for their money.
import { footerOf } from "./advertiser-letters.ts";
import { formats } from "./formats.ts";
import { type Block, type Letter, link, quote, subject } from "./letter.ts";

const DECISION_SUBJECTS = {
  "ad-approved": "Your ad is approved",
  "ad-changes-requested": "Changes requested",
  "ad-rejected": "Your ad was rejected",
  "revision-approved": "Your edit is approved",
  "revision-changes-requested": "Changes to your edit requested",
  "revision-rejected": "Your edit was rejected",
} as const;

/** A publisher's decision on an ad, or on a revision of one that stays approved. */
export type Decision = keyof typeof DECISION_SUBJECTS;

/** What an approval brings: the ad is live, its first payment is due first, or the subscription keeps it off the air. */
export type ApprovalEffect = "live" | "first payment" | "off";

/**
 * What was refunded with an end that the publisher has made: all that was left of what was paid, or the rest of the period. `due` before it
 * is made, `earlier` where all that is due was refunded before, null for nothing.
 */
export type RefundNews =
  | { readonly amount: number; readonly currency: string; readonly isAll: boolean }
  | "due"
  | "earlier"
  | null;

export interface DecisionFacts {
  readonly decision: Decision;
  /** What an approval of the ad does; of a decision on a revision, whether the ad is live. */
  readonly effect?: ApprovalEffect | undefined;
  readonly workspace: string;
  readonly advertiser: string;
  readonly ad: string;
  /** The publisher's words; null for an approval. */
  readonly note: string | null;
  /** Whether something was paid for the ad and not refunded. */
  readonly isPaid: boolean;
  /** What a rejection has refunded. */
  readonly refunded?: RefundNews | undefined;
  /** Whether the subscription of a rejected ad had ended before. */
  readonly hadEnded?: boolean | undefined;
  /** Where the ad is edited. */
  readonly url: string | null;
}

export function decisionLetter(facts: DecisionFacts): Letter {
  return {
    subject: subject`${DECISION_SUBJECTS[facts.decision]}: ${facts.ad}`,
    preheader: facts.note ?? `${facts.workspace} approved it.`,
    blocks: [`Hi ${facts.advertiser},`, ...decisionBlocks(facts)],
    footer: footerOf(facts.workspace),
  };
}

function decisionBlocks(facts: DecisionFacts): readonly Block[] {
  const { decision, effect = "live", workspace, ad, note, url } = facts;
  const noted = note === null ? [] : [quote(note)];
  const current = effect === "live" ? "The current version stays live." : "The current version is kept.";
  switch (decision) {
    case "ad-approved":
      return [APPROVED[effect](ad, workspace), ...link("See your ad", url)];
    case "ad-changes-requested":
      return [
        `${workspace} asks you to change your ad “${ad}” before it can go live:`,
        ...noted,
        ...link("Submit it again", url),
      ];
    case "ad-rejected":
      return [
        facts.hadEnded
          ? `${workspace} rejected your ad “${ad}”. Its subscription had already ended.`
          : `${workspace} rejected your ad “${ad}”. Its subscription has ended.`,
        ...noted,
        moneyAfterEnd(facts),
      ];
    case "revision-approved":
      return [EDITED[effect](ad, workspace), ...link("See your ad", url)];
    case "revision-changes-requested":
      return [
        `${workspace} asks you to change your edit of “${ad}”. ${current}`,
        ...noted,
        ...link("Submit it again", url),
      ];
    case "revision-rejected":
      return [
        `${workspace} rejected your edit of “${ad}”. ${current}`,
        ...noted,
        ...link("Submit another edit", url),
      ];
  }
}

export const REFUND_ARRIVES =
  "It goes back to the card that you paid with. Banks take up to 10 days to show it.";

const APPROVED: Readonly<Record<ApprovalEffect, (ad: string, workspace: string) => string>> = {
  live: (ad, workspace) =>
    `Your ad “${ad}” is live on ${workspace}. It keeps running while your subscription is active.`,
  "first payment": (ad, workspace) =>
    `${workspace} approved your ad “${ad}”, and your subscription starts now. Your ad goes live once any first payment has gone through. We'll email you if it fails.`,
  off: (ad, workspace) =>
    `${workspace} approved your ad “${ad}”. It isn't shown right now, because your subscription isn't active.`,
};

const EDITED: Readonly<Record<ApprovalEffect, (ad: string, workspace: string) => string>> = {
  live: (ad, workspace) => `Your edit of “${ad}” is live on ${workspace}.`,
  "first payment": (ad, workspace) =>
    `${workspace} approved your edit of “${ad}”. Your ad goes live once its first payment has gone through.`,
  off: (ad, workspace) =>
    `${workspace} approved your edit of “${ad}”. Your ad isn't shown right now, because your subscription isn't active.`,
};

/** What becomes of the money after the publisher has ended a subscription. */
export function moneyAfterEnd({
  workspace,
  isPaid,
  refunded,
}: Pick<DecisionFacts, "workspace" | "isPaid" | "refunded">): string {
  if (refunded == null || refunded === "earlier") {
    if (!isPaid) return "You won't be charged.";
    if (refunded === "earlier") return "You won't be charged again.";
    return `You won't be charged again. Your payment isn't refunded automatically. Contact ${workspace} about a refund.`;
  }
  if (refunded === "due") {
    return `You won't be charged again. ${workspace} is refunding your payment. We'll email you the amount as soon as the refund is made.`;
  }
  const amount = formats.money(refunded.amount, refunded.currency);
  const what = refunded.isAll ? "" : " for the rest of the period";
  return `You won't be charged again. ${workspace} has refunded ${amount}${what}. ${REFUND_ARRIVES}`;
}
