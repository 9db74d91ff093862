import { pausedPeriod } from "#libs/domain/charging.ts";
import { isEligible } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { paidUntil } from "#libs/domain/paid-time.ts";
import { hasEnded, isOverdue, lastDay, plannedEnd } from "#libs/domain/subscription.ts";
import { formats } from "../../mail/formats.ts";
import { whilePaused } from "../../mail/pause-letters.ts";
import { STARTS_ANEW } from "../../mail/subscription-letters.ts";
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
    return { tone: "bad", sentence: `Your last payment failed. ${untilPaid(visit, now)}`, canPay: true };
  }
  if (status === "Incomplete") {
    const sentence = "Your first payment isn't complete. Pay to let your ad be shown.";
    return { tone: "bad", sentence, canPay: true };
  }
  if (status === "Paused") {
    const period = pausedPeriod({
      amount: priceOf(visit).amount,
      isPeriodVoid: purchase.is_period_void,
      bill: purchase.stop_bill,
    });
    const meaning = whilePaused({ period, endsAt: lastDay(billingFacts(purchase)) });
    const sentence = `${publisher.name} has paused your ad. ${meaning}`;
    return { tone: "wait", sentence, canPay: false };
  }
  if (isOver(purchase, now)) {
    const end = endOf(purchase);
    const when = end === null || end.getTime() > now ? "has ended" : `ended on ${formats.day(end)}`;
    return { tone: "off", sentence: `The subscription ${when}.`, canPay: false };
  }
  const end = plannedEnd(billingFacts(purchase));
  if (end !== null) {
    const until = ad?.status === "Approved" ? "Your ad keeps running until" : "It ends on";
    const sentence = `Your subscription is canceled. ${until} ${formats.day(new Date(end))}.`;
    return { tone: "wait", sentence, canPay: false };
  }
  if (paidTimeOf(visit, now) === "over" && ad?.status !== "Approved") {
    const sentence =
      "No paid time is left. Once your ad is approved, a new period starts and is charged. If you don't want that, cancel the subscription.";
    return { tone: "wait", sentence, canPay: false };
  }
  if (awaitsCharge(purchase) && ad?.status === "Approved") {
    return { tone: "wait", sentence: "Your ad is approved, and your card is being charged.", canPay: false };
  }
  return null;
}

/** What a payment of the renewal that has failed brings. */
function untilPaid({ purchase, ad }: PaidVisit, now: ProcessorTime): string {
  const facts = billingFacts(purchase);
  const { graceEndsAt } = facts;
  const takesAll = graceEndsAt !== null && graceEndsAt === purchase.current_period_end?.getTime();
  if (takesAll && lastDay(facts) !== null)
    return "It's still due, for the days on which your ad is shown without it. Your subscription is canceled.";
  if (graceEndsAt !== null && graceEndsAt > now && ad?.status === "Approved")
    return `Pay by ${formats.day(new Date(graceEndsAt))} to keep your ad live.`;
  return takesAll ? `Pay to show your ad again. ${STARTS_ANEW}` : "Pay to show your ad again.";
}

/** As `paidUntil`: the time that was paid at checkout and that passes without an approved ad. */
export function paidTimeOf(visit: PaidVisit, now: ProcessorTime): ReturnType<typeof paidUntil> {
  const { purchase } = visit;
  const held = {
    status: purchase.status,
    chargeAt: purchase.charge_at,
    awaitsApproval: purchase.awaits_approval,
    isPeriodVoid: purchase.is_period_void,
    isStopped: purchase.stopped_at !== null,
    currentPeriodEnd: purchase.current_period_end?.getTime() ?? null,
    amount: priceOf(visit).amount,
  };
  return paidUntil(held, now);
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
