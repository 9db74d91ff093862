// Letters to advertisers about their subscription.
import type { PausedPeriod } from "#libs/domain/charging.ts";
import { isOverdue, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import { footerOf, moneyAfterEnd } from "./advertiser-letters.ts";
import { formats } from "./formats.ts";
import { type Letter, link, quote, subject } from "./letter.ts";
import { NO_OTHER_PERIOD, whilePaused } from "./pause-letters.ts";
import { type SaleFacts, saleOf, type Unshown } from "./sales.ts";

/** What a payment brings that comes when the grace has taken all of its period. */
export const STARTS_ANEW = "A new billing period starts then, and is charged as well.";

/** `liveUntil` is when the ad goes off if nothing is paid; null if it is off already. */
export function paymentFailedLetter({
  liveUntil,
  ...sale
}: SaleFacts & { readonly liveUntil: Date | null }): Letter {
  const effect =
    liveUntil === null
      ? "Your ad is shown again once you've paid."
      : `Pay by ${formats.day(liveUntil)} to keep your ad live.`;
  return {
    subject: subject`Your payment to ${sale.workspace} failed`,
    preheader: effect,
    blocks: [
      `Hi ${sale.advertiser},`,
      `Your payment to ${sale.workspace} for ${saleOf(sale)} (${formats.price(sale.price)}) failed. ${effect}`,
      sale.url === null
        ? "We'll try again. Check that your card is still valid."
        : "We'll try again. You can also pay now, or use another card:",
      ...link("Update payment", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/** The end of the days that an ad stayed live without its renewal; `then` is what its payment brings now. */
export function graceEndedLetter({
  then,
  ...sale
}: SaleFacts & { readonly then: "rest" | "new period" | "nothing" }): Letter {
  const effects = {
    rest: "It's shown again once you've paid.",
    "new period": `It's shown again once you've paid. ${STARTS_ANEW}`,
    nothing: "The payment is for days on which it was shown.",
  };
  return {
    subject: subject`Your ad on ${sale.workspace} is paused: payment missing`,
    preheader: effects[then],
    blocks: [
      `Hi ${sale.advertiser},`,
      `Your payment to ${sale.workspace} for ${saleOf(sale)} (${formats.price(sale.price)}) still hasn't gone through, so your ad is no longer shown. ${effects[then]}`,
      ...link("Update payment", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/**
 * How a subscription is that was canceled: with a failed payment that is still due, for a period of which the grace has taken all or not;
 * with a fixed end after more renewals; or paused by the publisher.
 */
export type CanceledWhile = "running" | "overdue" | "used up" | "renewed" | { readonly paused: PausedPeriod };

export function canceledWhile({
  status,
  isRenewed,
  isUsedUp,
  paused,
}: {
  readonly status: SubscriptionStatus;
  readonly isRenewed: boolean;
  readonly isUsedUp: boolean;
  readonly paused: PausedPeriod;
}): CanceledWhile {
  if (isRenewed) return "renewed";
  if (status === "Paused") return { paused };
  if (!isOverdue(status)) return "running";
  return isUsedUp ? "used up" : "overdue";
}

function untilTheEnd(state: CanceledWhile, endsAt: Date, isLive: boolean): string {
  if (typeof state === "object") return whilePaused({ period: state.paused, endsAt });
  const day = formats.day(endsAt);
  switch (state) {
    case "running":
      return isLive
        ? `Your ad keeps running until ${day}. ${NO_OTHER_PERIOD}`
        : `It ends on ${day}. ${NO_OTHER_PERIOD}`;
    case "renewed":
      return `It ends on ${day}. Renewals are charged until then.`;
    case "overdue":
      return `It ends on ${day}. The failed payment is still due. Once it's paid, your ad runs for the rest of that period. ${NO_OTHER_PERIOD}`;
    case "used up":
      return `It ends on ${day}. The failed payment, for days on which your ad was shown, is still due. ${NO_OTHER_PERIOD}`;
  }
}

/** A cancellation, by the advertiser, that takes effect at `endsAt`; `isLive` is whether the ad is approved. */
export function canceledLetter(
  sale: SaleFacts & {
    readonly endsAt: Date;
    readonly canceledWhile: CanceledWhile;
    readonly isLive: boolean;
  },
): Letter {
  const { advertiser, workspace, isLive, endsAt, canceledWhile: state, url } = sale;
  const day = formats.day(endsAt);
  return {
    subject:
      state === "renewed"
        ? subject`Your subscription to ${workspace} ends on ${day}`
        : subject`Your subscription to ${workspace} is canceled`,
    preheader: `It ends on ${day}.`,
    blocks: [
      `Hi ${advertiser},`,
      state === "renewed"
        ? `Your subscription for ${saleOf(sale)} on ${workspace} now has an end.`
        : `You canceled your subscription for ${saleOf(sale)} on ${workspace}.`,
      untilTheEnd(state, endsAt, isLive),
      "If this wasn't you or you've changed your mind, you can resume it until then:",
      ...link("Manage subscription", url),
    ],
    footer: footerOf(workspace),
  };
}

/** The withdrawal of a cancellation that had not taken effect. */
export function continuesLetter(sale: SaleFacts): Letter {
  const { advertiser, workspace, price, url } = sale;
  return {
    subject: subject`Your subscription to ${workspace} continues`,
    preheader: "Its cancellation was withdrawn.",
    blocks: [
      `Hi ${advertiser},`,
      `The cancellation of your subscription for ${saleOf(sale)} on ${workspace} was withdrawn. It continues as before (${formats.price(price)}).`,
      "If this wasn't you or you've changed your mind, you can cancel it again:",
      ...link("Manage subscription", url),
    ],
    footer: footerOf(workspace),
  };
}

/**
 * Why a subscription ended: as it was planned, for money that did not come, or by a cancellation that takes effect at once, after
 * the first charge or before it.
 */
export type End = "planned" | "payment failed" | "payment disputed" | "canceled" | "not charged";

/** The processor's reason for an end that was not planned. */
export function endOf(reason: string | null): End {
  if (reason === "payment_failed") return "payment failed";
  return reason === "payment_disputed" ? "payment disputed" : "canceled";
}

const END_SENTENCES: Readonly<Record<End, (sold: string, workspace: string) => string>> = {
  planned: (sold, workspace) =>
    `Your subscription for ${sold} on ${workspace} has ended, as canceled before.`,
  "payment failed": (sold, workspace) =>
    `Your subscription for ${sold} on ${workspace} has ended because the payment failed several times.`,
  "payment disputed": (sold, workspace) =>
    `Your subscription for ${sold} on ${workspace} has ended because a payment was disputed.`,
  canceled: (sold, workspace) => `Your subscription for ${sold} on ${workspace} was canceled and has ended.`,
  "not charged": (sold, workspace) =>
    `Your subscription for ${sold} on ${workspace} was canceled before its first charge and has ended.`,
};

const UNSHOWN_SENTENCES: Readonly<Record<Unshown, (workspace: string) => string>> = {
  "not reviewed": (workspace) => `${workspace} didn't review your ad before that, so it was never shown.`,
  "not approved": () => "Your ad wasn't approved before that, so it was never shown.",
  approved: () => "Your ad was never shown.",
};

/**
 * `comment` is what was said with the cancellation, null for nothing. `unshown` is about an ad that was never on the air, and
 * `isPaid` whether something was paid for it and not refunded.
 */
export function endedLetter({
  end,
  comment,
  unshown,
  isPaid,
  ...sale
}: SaleFacts & {
  readonly end: End;
  readonly comment: string | null;
  readonly unshown: Unshown | null;
  readonly isPaid: boolean;
}): Letter {
  const { advertiser, workspace, ad, url } = sale;
  const wasCharged = end !== "not charged";
  const noCharge = wasCharged ? "You won't be charged again." : "You won't be charged.";
  const wasShown = wasCharged && ad !== null && unshown === null;
  // The bank decides about a disputed payment.
  const canBeRefunded = unshown !== null && isPaid && end !== "payment disputed";
  const effect = unshown === null ? "Your ad is no longer shown." : UNSHOWN_SENTENCES[unshown](workspace);
  const money = canBeRefunded ? moneyAfterEnd({ workspace, isPaid, refunded: null }) : noCharge;
  return {
    subject: subject`Your subscription to ${workspace} has ended`,
    preheader: wasShown || unshown !== null ? effect : noCharge,
    blocks: [
      `Hi ${advertiser},`,
      END_SENTENCES[end](saleOf(sale), workspace),
      ...(comment === null ? [] : ["Reason given:", quote(comment)]),
      `${wasShown || unshown !== null ? `${effect} ` : ""}${money}`,
      ...link("See your subscription", url),
    ],
    footer: footerOf(workspace),
  };
}

/**
 * A payment that had failed and now went through. `isLive` is whether the ad was approved, so that it is shown; `endsAt` is the end of a
 * subscription that was canceled before, else null.
 */
export function paymentMadeLetter({
  isLive,
  endsAt,
  ...sale
}: SaleFacts & { readonly isLive: boolean; readonly endsAt: Date | null }): Letter {
  const { advertiser, workspace, url } = sale;
  const continues = endsAt === null ? "continues" : `now ends on ${formats.day(endsAt)}`;
  return {
    subject: subject`Your payment to ${workspace} went through`,
    preheader: `Your subscription for ${saleOf(sale)} ${continues}.`,
    blocks: [
      `Hi ${advertiser},`,
      `Your payment to ${workspace} for ${saleOf(sale)} went through. Your subscription ${continues}${isLive ? ", and your ad is live" : ""}.`,
      ...link("See your ad", url),
    ],
    footer: footerOf(workspace),
  };
}
