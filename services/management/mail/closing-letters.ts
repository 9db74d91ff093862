// Letters to advertisers about an end that the publisher has made.
import { footerOf } from "./advertiser-letters.ts";
import { type DecisionFacts, moneyAfterEnd } from "./decision-letters.ts";
import { type Letter, quote, subject } from "./letter.ts";
import { type SaleFacts, saleOf } from "./sales.ts";

/** A subscription that the publisher has canceled, with the publisher's words, null for none. */
export function canceledByPublisherLetter({
  note,
  isPaid,
  refunded,
  ...sale
}: SaleFacts & Pick<DecisionFacts, "note" | "isPaid" | "refunded">): Letter {
  const { advertiser, workspace, ad } = sale;
  return {
    subject: subject`${workspace} has canceled your subscription`,
    preheader: `${saleOf(sale)} has ended.`,
    blocks: [
      `Hi ${advertiser},`,
      `${workspace} canceled your subscription for ${saleOf(sale)}. It has ended${ad === null ? "" : ", and your ad is no longer shown"}.`,
      ...(note === null ? [] : [quote(note)]),
      moneyAfterEnd({ workspace, isPaid, refunded }),
    ],
    footer: footerOf(workspace),
  };
}

/** The end of a subscription because the publisher has deleted the workspace. No link: the pages are gone. */
export function closedLetter({
  contact,
  refunds,
  ...sale
}: SaleFacts & { readonly contact: string | null; readonly refunds: boolean }): Letter {
  const { advertiser, workspace, price } = sale;
  const about = contact === null ? "" : ` Contact ${contact} about a refund.`;
  const money = refunds
    ? `${workspace} refunds what is left of your payment: the unused part of the current period, or all of it if your ad never ran. We'll email you the amount if there is any.`
    : `Past payments aren't refunded automatically.${about}`;
  return {
    subject: subject`${workspace} has closed: your subscription has ended`,
    preheader: "You won't be charged again.",
    blocks: [
      `Hi ${advertiser},`,
      `${workspace} doesn't sell advertising here anymore, so your subscription for ${saleOf(sale)} has ended. You won't be charged again.`,
      ...(price.amount === 0 ? [] : [money]),
      "The pages that earlier emails link to are closed.",
    ],
    footer: footerOf(workspace),
  };
}
