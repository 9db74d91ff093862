import { isEligible } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { hasEnded, isOverdue, plannedEnd } from "#libs/domain/subscription.ts";
import { formats } from "../../mail/formats.ts";
import { type BillingRow, outlookOf, paidTimeOf } from "../../mail/outlook.ts";
import { whatFollows } from "../../mail/outlook-words.ts";
import { awaitsCharge, servingFacts } from "../../snapshots/publish.ts";
import type { Purchase } from "../queries.ts";
import { type PaidVisit, priceOf } from "./visit.ts";

/** The tone of a badge or note. */
type Tone = "good" | "wait" | "bad" | "off";

/** The status of an ad: one or two words for its badge, and a sentence. */
interface Standing {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
}

/** A note about the subscription. */
interface BillingNotice {
  readonly tone: Tone;
  readonly sentence: string;
  /** Whether a payment would help. */
  readonly canPay: boolean;
}

/** Whether the ad is in review, and whether it is live. */
export function standingOf(
  { ad, purchase, publisher: { name } }: Pick<PaidVisit, "ad" | "purchase" | "publisher">,
  now: ProcessorTime,
): Standing {
  if (ad === undefined && !isOver(purchase, now)) {
    return { tone: "wait", word: "Ad missing", sentence: "Submit your ad so that it can be reviewed." };
  }
  if (ad?.status === "Rejected") {
    const sentence = `${name} rejected this ad, and the subscription is canceled.`;
    return { tone: "bad", word: "Rejected", sentence };
  }
  if (ad === undefined || isOver(purchase, now)) {
    const isUnseen = ad !== undefined && ad.serving_since === null;
    const sentence = isUnseen ? neverShown(ad, name) : "This placement has ended.";
    return { tone: "off", word: "Ended", sentence };
  }
  if (ad.status === "Pending") {
    if (ad.rejection_note === null) {
      const sentence = `${name} is reviewing your ad. We'll email you the decision.`;
      return { tone: "wait", word: "In review", sentence };
    }
    const sentence = `${name} has asked you to change your ad. Submit it again when it's ready.`;
    return { tone: "bad", word: "Changes requested", sentence };
  }
  if (!isEligible({ adStatus: ad.status, ...billingFacts(purchase) }, now)) {
    const sentence = "Your ad is approved but isn't live right now.";
    return purchase.status === "Paused"
      ? { tone: "wait", word: "Paused", sentence }
      : { tone: "off", word: "Not live", sentence };
  }
  const since = ad.serving_since === null ? "" : ` It went live on ${formats.day(ad.serving_since)}.`;
  return { tone: "good", word: "Live", sentence: `Your ad is shown on ${name}.${since}` };
}

function neverShown(ad: NonNullable<PaidVisit["ad"]>, publisher: string): string {
  if (ad.status === "Approved") return "This placement has ended. Your ad was never shown.";
  return ad.rejection_note === null
    ? `This placement ended before ${publisher} reviewed your ad, so it was never shown.`
    : "This placement ended before your ad was approved, so it was never shown.";
}

/** A problem or a coming change of the subscription; null if it simply continues. */
export function billingNotice(visit: PaidVisit, now: ProcessorTime): BillingNotice | null {
  const { purchase, publisher, ad } = visit;
  const { status } = purchase;
  if (isOverdue(status)) {
    const sentence = `Your last payment failed. ${whatFollows(outlookOf(billingRow(visit), now))}`;
    return { tone: "bad", sentence, canPay: true };
  }
  if (status === "Incomplete") {
    const sentence = "Your first payment isn't complete. Pay to let your ad be shown.";
    return { tone: "bad", sentence, canPay: true };
  }
  if (status === "Paused") {
    const sentence = `${publisher.name} has paused your ad. ${whatFollows(outlookOf(billingRow(visit), now))}`;
    return { tone: "wait", sentence, canPay: false };
  }
  if (isOver(purchase, now)) {
    const end = endOf(purchase);
    const when = end === null || end.getTime() > now ? "has ended" : `ended on ${formats.day(end)}`;
    return { tone: "off", sentence: `The subscription ${when}.`, canPay: false };
  }
  const outlook = outlookOf(billingRow(visit), now);
  if (outlook.end !== null) {
    const canceled = outlook.end.isRenewed ? "" : "Your subscription is canceled. ";
    return { tone: "wait", sentence: `${canceled}${whatFollows(outlook)}`, canPay: false };
  }
  if (paidTimeOf(billingRow(visit), now) === "over" && ad?.status !== "Approved") {
    const sentence =
      "No paid time is left. Once your ad is approved, a new period starts and is charged. If you don't want that, cancel the subscription.";
    return { tone: "wait", sentence, canPay: false };
  }
  const isUncharged = awaitsCharge({ ...purchase, subscription_status: purchase.status });
  if (isUncharged && ad?.status === "Approved") {
    return { tone: "wait", sentence: "Your ad is approved, and your card is being charged.", canPay: false };
  }
  return null;
}

/** The row of a purchase with what decides what follows for it. */
export function billingRow(visit: PaidVisit): BillingRow {
  const { purchase, ad } = visit;
  return {
    ...purchase,
    ad_status: ad?.status ?? null,
    serving_since: ad?.serving_since ?? null,
    amount: priceOf(visit).amount,
  };
}

/** Whether the purchase is over, so that an ad can no longer be submitted for it. */
export function isOver(purchase: Purchase, now: ProcessorTime): boolean {
  const end = plannedEnd(billingFacts(purchase));
  return hasEnded(purchase.status) || (end !== null && end <= now);
}

/** When a canceled purchase ends or has ended; null while it simply continues. */
export function endOf(purchase: Purchase): Date | null {
  const planned = plannedEnd(billingFacts(purchase));
  const plannedDate = planned === null ? null : new Date(planned);
  if (!hasEnded(purchase.status)) return plannedDate;
  return purchase.ended_at ?? purchase.canceled_at ?? plannedDate ?? purchase.current_period_end;
}

function billingFacts(purchase: Purchase) {
  const { adStatus: _ofItsAd, ...facts } = servingFacts({
    ...purchase,
    status: "Approved",
    subscription_status: purchase.status,
  });
  return facts;
}
