import { chargingRule } from "#libs/domain/charging-rule.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { formats } from "./formats.ts";
import { type Block, type Letter, link, subject } from "./letter.ts";
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

/** Why an advertiser receives a letter. */
export function footerOf(workspace: string): string {
  return `You're receiving this email because you advertise on ${workspace} (powered by Placard).`;
}
