// Letters to advertisers about their subscription.
import type { Outlook, PlannedEnd } from "#libs/domain/outlook.ts";
import { footerOf } from "./advertiser-letters.ts";
import { moneyAfterEnd } from "./decision-letters.ts";
import { formats } from "./formats.ts";
import { type Letter, link, quote, subject } from "./letter.ts";
import { whatFollows } from "./outlook-words.ts";
import { type SaleFacts, saleOf, type Unshown } from "./sales.ts";

/** The outlook after the change that a letter tells of. */
interface AfterChange extends SaleFacts {
  readonly outlook: Outlook;
}

/** `paid` is what went through of an earlier period, so that the new one that failed began; null for nothing. */
export function paymentFailedLetter({
  outlook,
  paid,
  ...sale
}: AfterChange & { readonly paid: number | null }): Letter {
  const effect = whatFollows(outlook);
  const earlier =
    paid === null
      ? ""
      : `Your payment of ${formats.money(paid, sale.price.currency)} went through, and a new billing period has begun. `;
  return {
    subject: subject`Your payment to ${sale.workspace} failed`,
    preheader: effect,
    blocks: [
      `Hi ${sale.advertiser},`,
      `${earlier}Your payment to ${sale.workspace} for ${saleOf(sale)} (${formats.price(sale.price)}) failed. ${effect}`,
      sale.url === null
        ? "We'll try again. Check that your card is still valid."
        : "We'll try again. You can also pay now, or use another card:",
      ...link("Update payment", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/** The end of the days that an ad stayed live without its renewal. */
export function graceEndedLetter({ outlook, ...sale }: AfterChange): Letter {
  const effect = whatFollows(outlook);
  return {
    subject: subject`Your ad on ${sale.workspace} is paused: payment missing`,
    preheader: effect,
    blocks: [
      `Hi ${sale.advertiser},`,
      `Your payment to ${sale.workspace} for ${saleOf(sale)} (${formats.price(sale.price)}) still hasn't gone through, so your ad is no longer shown. ${effect}`,
      ...link("Update payment", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/** A cancellation, by the advertiser, that takes effect at `end`. */
export function canceledLetter({
  outlook,
  end: { at, isRenewed },
  ...sale
}: AfterChange & { readonly end: PlannedEnd }): Letter {
  const { advertiser, workspace, url } = sale;
  const day = formats.day(at);
  const owed = outlook.state === "owed" ? "Your last payment failed. " : "";
  return {
    subject: isRenewed
      ? subject`Your subscription to ${workspace} ends on ${day}`
      : subject`Your subscription to ${workspace} is canceled`,
    preheader: `It ends on ${day}.`,
    blocks: [
      `Hi ${advertiser},`,
      isRenewed
        ? `Your subscription for ${saleOf(sale)} on ${workspace} now has an end.`
        : `You canceled your subscription for ${saleOf(sale)} on ${workspace}.`,
      `${owed}${whatFollows(outlook)}`,
      "If this wasn't you or you've changed your mind, you can resume it until then:",
      ...link("Manage subscription", url),
    ],
    footer: footerOf(workspace),
  };
}

/** The withdrawal of a cancellation that had not taken effect. */
export function continuesLetter({ outlook, ...sale }: AfterChange): Letter {
  const { advertiser, workspace, price, url } = sale;
  const owed = outlook.state === "owed" ? ` Your last payment failed. ${whatFollows(outlook)}` : "";
  return {
    subject: subject`Your subscription to ${workspace} continues`,
    preheader: "Its cancellation was withdrawn.",
    blocks: [
      `Hi ${advertiser},`,
      `The cancellation of your subscription for ${saleOf(sale)} on ${workspace} was withdrawn. It continues as before (${formats.price(price)}).${owed}`,
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
 * `paid` is a payment that went through at the end, after it had failed; null for none. `comment` is what was said with the
 * cancellation, null for nothing. `unshown` is about an ad that was never on the air, and `isPaid` whether something was paid for it and not
 * refunded.
 */
export function endedLetter({
  end,
  paid,
  comment,
  unshown,
  isPaid,
  ...sale
}: SaleFacts & {
  readonly end: End;
  readonly paid: number | null;
  readonly comment: string | null;
  readonly unshown: Unshown | null;
  readonly isPaid: boolean;
}): Letter {
  const { advertiser, workspace, ad, price, url } = sale;
  const payment =
    paid === null ? "" : `Your payment of ${formats.money(paid, price.currency)} went through. `;
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
      `${payment}${END_SENTENCES[end](saleOf(sale), workspace)}`,
      ...(comment === null ? [] : ["Reason given:", quote(comment)]),
      `${wasShown || unshown !== null ? `${effect} ` : ""}${money}`,
      ...link("See your subscription", url),
    ],
    footer: footerOf(workspace),
  };
}

/** A payment that had failed and now went through. */
export function paymentMadeLetter({ outlook, ...sale }: AfterChange): Letter {
  const { advertiser, workspace, url } = sale;
  const continues = outlook.hasAd
    ? "Your subscription continues, and your ad is live."
    : "Your subscription continues.";
  const effect = whatFollows(outlook) || continues;
  return {
    subject: subject`Your payment to ${workspace} went through`,
    preheader: effect,
    blocks: [
      `Hi ${advertiser},`,
      `Your payment to ${workspace} for ${saleOf(sale)} went through. ${effect}`,
      ...link("See your ad", url),
    ],
    footer: footerOf(workspace),
  };
}
