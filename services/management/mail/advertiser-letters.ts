import { chargingRule } from "#libs/domain/charging-rule.ts";
import { clickRateHint } from "#libs/domain/click-rate.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { formats } from "./formats.ts";
import { type Block, type Figures, type Letter, link, quote, subject } from "./letter.ts";
import type { SaleFacts } from "./sales.ts";

export interface PurchaseFacts extends Pick<SaleFacts, "workspace" | "advertiser" | "tier" | "price"> {
  /** When the trial ends; null where there is none. */
  readonly trialEnd: Date | null;
  readonly chargeAt: ChargeAt;
  /** Where the ad is submitted, and shown from then on. */
  readonly url: string;
}

/**
 * Where a tier is free anybody can buy with any name and address, and may not be the one who reads this: so it has no
 * name.
 */
function greetingOf({ advertiser, price }: Pick<SaleFacts, "advertiser" | "price">): string {
  return price.amount === 0 ? "Hi," : `Hi ${advertiser},`;
}

export function purchaseLetter(bought: PurchaseFacts): Letter {
  const { workspace, tier, url } = bought;
  return {
    subject: subject`Submit your ad for ${workspace}`,
    preheader: `Your placement: ${tier}. Your ad goes live once it's approved.`,
    blocks: [
      greetingOf(bought),
      `Thanks for buying ${tier} on ${workspace} (${termsOf(bought)}).`,
      `Next, submit your ad. ${workspace} reviews it, and we email you the decision. It goes live once it's approved.`,
      ...link("Submit your ad", url),
      ...ruleOf(bought),
      "Use the same page later to see your ad's status, edit it or manage your subscription. Keep the link private: anyone who has it can make changes.",
    ],
    footer: `You're receiving this email because this address was used to buy advertising on ${workspace} (powered by Placard).`,
  };
}

/** Asks for the ad of a purchase that still has none. */
export function adMissingLetter(
  bought: Pick<PurchaseFacts, "workspace" | "advertiser" | "tier" | "price" | "url"> & {
    /** The end of what was paid; null where nothing passes unused. */
    readonly paidUntil: Date | null;
  },
): Letter {
  const { workspace, tier, url, paidUntil } = bought;
  return {
    subject: subject`Submit your ad for ${workspace}: nothing is shown yet`,
    preheader: `Your placement ${tier} is still empty.`,
    blocks: [
      greetingOf(bought),
      `You bought ${tier} on ${workspace} and haven't submitted an ad yet. Your ad is shown once you've submitted it and ${workspace} has approved it.`,
      ...(paidUntil === null ? [] : [`You've paid until ${formats.day(paidUntil)}.`]),
      ...link("Submit your ad", url),
      "Keep this link private. Anyone who has it can make changes.",
    ],
    footer: footerOf(workspace),
  };
}

/** The link to all ads of an advertiser. Anybody can ask for it, so the reader may not have. */
export function linksLetter({ workspace, url }: Pick<PurchaseFacts, "workspace" | "url">): Letter {
  return {
    subject: subject`Your ads on ${workspace}`,
    preheader: "The link you asked for.",
    blocks: [
      "Hi,",
      `You asked for the link to your ads on ${workspace}. It works for one hour:`,
      ...link("See your ads", url),
      "Keep this link private. Anyone who has it can make changes.",
      "If you didn't ask for it, you can ignore this email.",
    ],
    footer: footerOf(workspace),
  };
}

/** When the buyer is charged. */
function ruleOf({ price, trialEnd, chargeAt, workspace }: PurchaseFacts): readonly Block[] {
  return price.amount === 0
    ? []
    : [chargingRule({ chargeAt, hasTrial: trialEnd !== null, workspace, isBought: true })];
}

function termsOf({ price, trialEnd }: PurchaseFacts): string {
  if (price.amount === 0) return "free";
  const paid = formats.price(price);
  return trialEnd === null ? paid : `free until ${formats.day(trialEnd)}, then ${paid}`;
}

const DECISION_SUBJECTS = {
  "ad-approved": "Your ad is approved",
  "ad-changes-requested": "Changes requested",
  "ad-rejected": "Your ad was rejected",
  "revision-approved": "Your edit is approved",
  "revision-changes-requested": "Changes to your edit requested",
  "revision-rejected": "Your edit was rejected",
} as const;

/** A publisher's decision on an ad, or on a revision of one that stays live. */
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
  /** What an approval of the ad does. */
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
      return [`Your edit of “${ad}” is live on ${workspace}.`, ...link("See your ad", url)];
    case "revision-changes-requested":
      return [
        `${workspace} asks you to change your edit of “${ad}”. The current version stays live.`,
        ...noted,
        ...link("Submit it again", url),
      ];
    case "revision-rejected":
      return [
        `${workspace} rejected your edit of “${ad}”. The current version stays live.`,
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

export interface ReportFacts {
  readonly workspace: string;
  readonly advertiser: string;
  /** `2026-10`. */
  readonly month: string;
  /** The ads with most impressions first. */
  readonly ads: readonly { readonly name: string; readonly impressions: number; readonly clicks: number }[];
  /** How many more ads the totals include. */
  readonly unlisted: number;
  readonly totals: { readonly impressions: number; readonly clicks: number };
  readonly unsubscribeUrl: string;
}

export function monthlyReport(report: ReportFacts): Letter {
  const { workspace, advertiser, unlisted, unsubscribeUrl } = report;
  const month = formats.month(report.month);
  return {
    subject: subject`${month}: your ads on ${workspace}`,
    preheader: countsOf(report),
    blocks: [
      `Hi ${advertiser},`,
      `In ${month} your ads on ${workspace} had ${countsOf(report)}.`,
      figuresOf(report),
      ...(unlisted === 0
        ? []
        : [`${formats.count(unlisted)} more ads are included in the total but not listed.`]),
      ...clickRateRule(report),
      "Bots, prefetches and duplicates are excluded.",
    ],
    footer: footerOf(workspace),
    footerLink: { label: "Stop these monthly reports", url: unsubscribeUrl },
  };
}

function countsOf({ totals: { impressions, clicks } }: ReportFacts): string {
  const counted = (count: number, one: string) => `${formats.count(count)} ${count === 1 ? one : `${one}s`}`;
  return `${counted(impressions, "impression")} and ${counted(clicks, "click")}`;
}

/** The rule, once, where an ad has no click rate for it. */
function clickRateRule({ ads }: ReportFacts): string[] {
  const hints = new Set(ads.flatMap((ad) => clickRateHint(ad) ?? []));
  return [...hints].map((hint) => `CTR: ${hint.toLowerCase()}.`);
}

function figuresOf({ ads, unlisted, totals }: ReportFacts): Figures {
  const row = (name: string, counts: ReportFacts["totals"]) =>
    [
      name,
      formats.count(counts.impressions),
      formats.count(counts.clicks),
      formats.clickRate(counts),
    ] as const;
  return {
    kind: "figures",
    head: ["Ad", "Impressions", "Clicks", "CTR"],
    rows: ads.map((ad) => row(ad.name, ad)),
    ...(ads.length + unlisted > 1 ? { total: row("All ads", totals) } : {}),
  };
}

/** Why an advertiser receives a letter. */
export function footerOf(workspace: string): string {
  return `You're receiving this email because you advertise on ${workspace} (powered by Placard).`;
}
