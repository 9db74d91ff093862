import { isEligible, plannedEnd } from "#libs/domain/eligibility.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import { formats, priceWords, type ShownPrice } from "../page/price-words.ts";
import type { Purchase } from "../queries.ts";

/** How something is meant: well, waiting for somebody, badly, over. */
export type Tone = "good" | "wait" | "bad" | "off";

/** How an ad stands, in a word or two and in a sentence. */
export interface Standing {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
}

/** What is to be said of the subscription. */
export interface BillingNotice {
  readonly tone: Tone;
  readonly sentence: string;
  /** Whether it helps to pay. */
  readonly canPay: boolean;
}

export interface StandingFacts {
  /** Null before the first submission. */
  readonly ad: {
    readonly status: AdStatus;
    readonly rejection_note: string | null;
    readonly serving_since: Date | null;
  } | null;
  readonly purchase: Purchase;
  readonly price: ShownPrice;
  /** The publisher's name. */
  readonly publisher: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const OVERDUE: readonly string[] = ["PastDue", "Unpaid"];
const ENDED: readonly string[] = ["Canceled", "IncompleteExpired"];

/** Where the ad is in review, and whether it is shown. */
export function standingOf({ ad, purchase, publisher, now }: StandingFacts): Standing {
  if (ad === null) {
    return { tone: "wait", word: "Ad missing", sentence: "Send your ad, so that it can be reviewed." };
  }
  if (ad.status === "Rejected") {
    return {
      tone: "bad",
      word: "Rejected",
      sentence: `${publisher} has rejected this ad, and the subscription is canceled.`,
    };
  }
  if (hasEnded(purchase, now)) {
    return { tone: "off", word: "Ended", sentence: "This placement is over, and the ad is not shown." };
  }
  if (ad.status === "Pending") {
    return ad.rejection_note === null
      ? {
          tone: "wait",
          word: "In review",
          sentence: `${publisher} reviews your ad. The decision comes by e-mail.`,
        }
      : {
          tone: "bad",
          word: "Changes requested",
          sentence: `${publisher} asks you to change your ad. Send it again when you have.`,
        };
  }
  if (!isEligible({ adStatus: ad.status, ...servingFactsOf(purchase) }, now)) {
    return { tone: "off", word: "Off air", sentence: "Your ad is approved, and is not shown now." };
  }
  const since = ad.serving_since === null ? "" : ` It went on air on ${formats.day(ad.serving_since)}.`;
  return { tone: "good", word: "On air", sentence: `Your ad is shown on ${publisher}.${since}` };
}

/** What the advertiser has to know of the subscription; null while all is well and goes on. */
export function billingNotice({ purchase, price, publisher, now }: StandingFacts): BillingNotice | null {
  const { status } = purchase;
  if (OVERDUE.includes(status)) {
    const sentence = "The last payment failed. Your ad is not shown until it is made.";
    return { tone: "bad", sentence, canPay: true };
  }
  if (status === "Incomplete") {
    const sentence = "The first payment is not complete. Your ad is not shown until it is.";
    return { tone: "bad", sentence, canPay: true };
  }
  if (status === "Paused") {
    const sentence = `${publisher} has paused your ad. Nothing is charged until it is resumed.`;
    return { tone: "wait", sentence, canPay: false };
  }
  if (hasEnded(purchase, now)) {
    const end = purchase.canceled_at ?? purchase.cancel_at ?? purchase.current_period_end;
    const when = end === null || end.getTime() > now ? "" : ` on ${formats.day(end)}`;
    return { tone: "off", sentence: `The subscription has ended${when}.`, canPay: false };
  }
  const end = plannedEnd(servingFactsOf(purchase));
  if (end !== null) {
    const sentence = `The subscription is canceled and ends on ${formats.day(new Date(end))}. Until then nothing changes.`;
    return { tone: "wait", sentence, canPay: false };
  }
  if (status === "Trialing" && purchase.trial_end !== null) {
    const sentence = `Free until ${formats.day(purchase.trial_end)}, then ${priceWords(price)}.`;
    return { tone: "good", sentence, canPay: false };
  }
  return null;
}

/** Whether what was bought is over, so that nothing can be made of it any more. */
export function hasEnded(purchase: Purchase, now: number): boolean {
  const end = plannedEnd(servingFactsOf(purchase));
  return ENDED.includes(purchase.status) || (end !== null && end <= now);
}

function servingFactsOf(purchase: Purchase) {
  return {
    subscriptionStatus: purchase.status,
    cancelAtPeriodEnd: purchase.cancel_at_period_end,
    cancelAt: purchase.cancel_at?.getTime() ?? null,
    currentPeriodEnd: purchase.current_period_end?.getTime() ?? null,
  };
}
