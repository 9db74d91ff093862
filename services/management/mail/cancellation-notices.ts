// Letters to the publisher about a cancellation, its withdrawal and the end of a subscription.
import type { Outlook } from "#libs/domain/outlook.ts";
import { formats } from "./formats.ts";
import { type Letter, link, quote, subject } from "./letter.ts";
import { whatFollowsForPublisher } from "./outlook-words.ts";
import { publisherFooter } from "./publisher-letters.ts";
import { type SaleFacts, saleOf, type Unshown } from "./sales.ts";

const NEVER_RAN: Readonly<Record<Unshown, string>> = {
  "not reviewed": "You didn't review the ad before that, so it never ran.",
  "not approved": "The ad wasn't approved before that, so it never ran.",
  approved: "The ad never ran.",
};

const NOT_LIVE_YET: Readonly<Record<Unshown, string>> = {
  "not reviewed": "You haven't reviewed the ad yet. If you approve it, it runs until then.",
  "not approved": "The ad isn't approved yet.",
  approved: "The ad isn't live yet.",
};

/** What a cancellation that takes effect later means for the ad. */
function untilThen({ ad, outlook, unshown }: EndFacts & { readonly outlook: Outlook }): string {
  const owed = outlook.state === "owed" ? "Their last payment failed. " : "";
  const follows = `${owed}${whatFollowsForPublisher(outlook)}`;
  if (ad === null) return `${follows} There's no ad yet.`;
  return unshown === null ? follows : `${follows} ${NOT_LIVE_YET[unshown]}`;
}

interface EndFacts extends SaleFacts {
  /** Null once the subscription has ended. */
  readonly outlook: Outlook | null;
  /** In the advertiser's words. */
  readonly comment: string | null;
  /** The part of the last payment for time that the ad was off the air at its end. */
  readonly unused: number;
  /** About an ad that was never on the air, to which `url` leads. */
  readonly unshown: Unshown | null;
  /** Whether something was paid for such an ad and not refunded. */
  readonly isPaid: boolean;
}

/** A subscription that has ended, or will. */
export function cancellationNotice(sale: EndFacts): Letter {
  const { outlook, comment, unused, unshown, isPaid, advertiser, workspace, url } = sale;
  const sold = `${saleOf(sale)} (${formats.price(sale.price)})`;
  return {
    subject:
      outlook === null ? subject`${advertiser}'s subscription has ended` : subject`${advertiser} canceled`,
    preheader: `${saleOf(sale)}, ${formats.price(sale.price)}.`,
    blocks: [
      outlook === null
        ? `${advertiser}'s subscription for ${sold} has ended.`
        : `${advertiser} canceled ${sold}. ${untilThen({ ...sale, outlook })}`,
      ...(comment === null ? [] : ["Reason given:", quote(comment)]),
      ...(unused === 0
        ? []
        : [
            `The ad wasn't running when it ended, so ${formats.money(unused, sale.price.currency)} of the last payment is unused. You can refund it on the advertiser's page.`,
          ]),
      ...(outlook === null && unshown !== null ? [neverRan(unshown, isPaid)] : []),
      ...link(unshown === null ? "View advertiser" : "View ad", url),
    ],
    footer: publisherFooter(workspace),
  };
}

function neverRan(unshown: Unshown, isPaid: boolean): string {
  if (!isPaid) return NEVER_RAN[unshown];
  return `${NEVER_RAN[unshown]} The payment isn't refunded automatically. Reject the ad to refund it, or to close it without a refund.`;
}

/** The withdrawal of a cancellation that the publisher was told of. */
export function continuesNotice({ outlook, ...sale }: SaleFacts & { readonly outlook: Outlook }): Letter {
  const { advertiser, workspace, url } = sale;
  const owed =
    outlook.state === "owed" ? ` Their last payment failed. ${whatFollowsForPublisher(outlook)}` : "";
  return {
    subject: subject`${advertiser} withdrew the cancellation`,
    preheader: `${saleOf(sale)}, ${formats.price(sale.price)}.`,
    blocks: [
      `${advertiser} withdrew the cancellation of ${saleOf(sale)} (${formats.price(sale.price)}). The subscription continues as before.${owed}`,
      ...link("View advertiser", url),
    ],
    footer: publisherFooter(workspace),
  };
}
