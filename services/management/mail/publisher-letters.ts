import type { Outlook } from "#libs/domain/outlook.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
import { formats } from "./formats.ts";
import { type Letter, link, quoteList, subject } from "./letter.ts";
import { whatFollowsForPublisher } from "./outlook-words.ts";
import { type SaleFacts, saleOf } from "./sales.ts";

/** A new ad, or a revision of one that stays live, to review at `url`. */
export function reviewLetter({
  workspace,
  advertiser,
  ad,
  tier,
  isRevision,
  url,
}: Omit<SaleFacts, "price"> & { readonly ad: string; readonly isRevision: boolean }): Letter {
  return {
    subject: subject`${isRevision ? "New edit to review" : "New ad to review"}: ${ad}`,
    preheader: `${advertiser}, in ${tier}.`,
    blocks: [
      isRevision
        ? `${advertiser} submitted an edit of an ad in ${tier}: “${ad}”. The current version stays live.`
        : `${advertiser} submitted an ad for ${tier}: “${ad}”. It goes live once you approve it.`,
      ...link("Review", url),
    ],
    footer: publisherFooter(workspace),
  };
}

/** A placement that was bought; without an ad the publisher has nothing to review yet. */
export function purchaseNotice(sale: SaleFacts): Letter {
  const { advertiser, workspace, tier, price, ad, url } = sale;
  const paid = price.amount === 0 ? "free" : formats.price(price);
  return {
    subject: subject`New purchase: ${advertiser} in ${tier}`,
    preheader: `${advertiser} bought ${tier} (${paid}).`,
    blocks: [
      `${advertiser} bought ${tier} (${paid}).`,
      ad === null
        ? "There's no ad to review yet. They have the link to submit it, and we'll email you when they do."
        : `They have already submitted an ad: “${ad}”.`,
      ...link("View advertiser", url),
    ],
    footer: publisherFooter(workspace),
  };
}

/** A purchase that still has no ad after `days`. */
export function adMissingNotice({
  days,
  paidUntil,
  isReminded,
  ...sale
}: SaleFacts & {
  readonly days: number;
  /** The end of what was paid; null where nothing passes unused. */
  readonly paidUntil: Date | null;
  readonly isReminded: boolean;
}): Letter {
  const { advertiser, workspace, tier, url } = sale;
  return {
    subject: subject`Still no ad from ${advertiser}`,
    preheader: `${advertiser} bought ${tier} ${days} days ago.`,
    blocks: [
      `${advertiser} bought ${tier} ${days} days ago and hasn't submitted an ad yet.`,
      ...(paidUntil === null ? [] : [`They've paid until ${formats.day(paidUntil)}.`]),
      isReminded
        ? "We've just reminded them. You may want to contact them yourself."
        : "We couldn't remind them by email.",
      ...link("View advertiser", url),
    ],
    footer: publisherFooter(workspace),
  };
}

/** `paid` as for the advertiser. */
export function paymentFailedNotice({
  outlook,
  paid,
  ...sale
}: SaleFacts & { readonly outlook: Outlook; readonly paid: number | null }): Letter {
  const earlier =
    paid === null
      ? ""
      : `They've paid ${formats.money(paid, sale.price.currency)}, and a new period has begun. `;
  return {
    subject: subject`${sale.advertiser}'s payment failed`,
    preheader: `${saleOf(sale)}, ${formats.price(sale.price)}.`,
    blocks: [
      `${earlier}${sale.advertiser}'s payment for ${saleOf(sale)} (${formats.price(sale.price)}) failed.`,
      `${whatFollowsForPublisher(outlook)} We'll try again, and we've asked the advertiser to update their payment details.`,
      ...link("View advertiser", sale.url),
    ],
    footer: publisherFooter(sale.workspace),
  };
}

/** The end of the days that an ad stayed live without its renewal. */
export function graceEndedNotice({ outlook, ...sale }: SaleFacts & { readonly outlook: Outlook }): Letter {
  return {
    subject: subject`${sale.advertiser}'s ad is paused: payment missing`,
    preheader: `${saleOf(sale)}, ${formats.price(sale.price)}.`,
    blocks: [
      `${sale.advertiser}'s payment for ${saleOf(sale)} (${formats.price(sale.price)}) still hasn't gone through. The grace period is over, and the ad is no longer shown.`,
      whatFollowsForPublisher(outlook),
      ...link("View advertiser", sale.url),
    ],
    footer: publisherFooter(sale.workspace),
  };
}

/** A payment that came after the end of its subscription, or of its time on the air, of which `amount` was refunded. */
export function lateRefundNotice({
  amount,
  currency,
  ...sale
}: SaleFacts & { readonly amount: number; readonly currency: string }): Letter {
  const { advertiser, workspace, url } = sale;
  const refunded = formats.money(amount, currency);
  return {
    subject: subject`${advertiser}'s late payment was refunded`,
    preheader: `${saleOf(sale)}: ${refunded}.`,
    blocks: [
      `${advertiser} paid for ${saleOf(sale)} too late for the ad to be shown. We've refunded ${refunded}, the part for time in which the ad wasn't shown.`,
      ...link("View advertiser", url),
    ],
    footer: refundFooter(workspace),
  };
}

/** A refund that the advertiser's bank did not take: the money is in the publisher's balance again. */
export function failedRefundNotice({
  amount,
  currency,
  ...sale
}: SaleFacts & { readonly amount: number; readonly currency: string }): Letter {
  const { advertiser, workspace, url } = sale;
  const refunded = formats.money(amount, currency);
  return {
    subject: subject`A refund to ${advertiser} has failed`,
    preheader: `${saleOf(sale)}: ${refunded}.`,
    blocks: [
      `The refund of ${refunded} for ${saleOf(sale)} didn't reach ${advertiser}: their bank returned it, so it's in your balance at the payment processor again. Refund the payment again, or pay them in another way.`,
      ...link("View advertiser", url),
    ],
    footer: refundFooter(workspace),
  };
}

/** A refund that was decided a day ago, and that the payment processor has not made since. */
export function overdueRefundNotice(sale: SaleFacts): Letter {
  const { advertiser, workspace, url } = sale;
  return {
    subject: subject`A refund is still due: ${advertiser}`,
    preheader: `${saleOf(sale)}.`,
    blocks: [
      `The refund to ${advertiser} for ${saleOf(sale)} hasn't been made yet. The payment processor has refused it for a day, usually because the balance of your account there is too low.`,
      "We try again every hour. If you make the refund yourself at the payment processor, it isn't made twice.",
      ...link("View advertiser", url),
    ],
    footer: refundFooter(workspace),
  };
}

const DIGESTS: Readonly<Record<PublisherMail, { one: string; many: string; label: string }>> = {
  purchase: { one: "1 more purchase", many: "more purchases", label: "View advertisers" },
  adWaiting: { one: "1 more ad or edit to review", many: "more ads and edits to review", label: "Review" },
  paymentFailed: { one: "1 more failed payment", many: "more failed payments", label: "View advertisers" },
  subscriptionCanceled: { one: "1 more cancellation", many: "more cancellations", label: "View advertisers" },
  adAlert: { one: "1 more alert", many: "more alerts", label: "View ads" },
};

/** The letters of a kind that were too many to be sent one by one, by their subjects, oldest first. */
export function digestLetter({
  kind,
  lines,
  workspace,
  url,
}: {
  readonly kind: PublisherMail;
  readonly lines: readonly string[];
  readonly workspace: string;
  readonly url: string;
}): Letter {
  const { one, many, label } = DIGESTS[kind];
  const what = lines.length === 1 ? one : `${lines.length} ${many}`;
  return {
    subject: subject`${workspace}: ${what}`,
    preheader: "One email in place of many.",
    blocks: [
      `${what} in the last hour, besides those we've already emailed you about:`,
      quoteList(lines),
      ...link(label, url),
    ],
    footer: publisherFooter(workspace),
  };
}

export function publisherFooter(workspace: string): string {
  return `${refundFooter(workspace)} An owner can turn these notifications off in Settings → Emails.`;
}

/** The footer of letters about refunds, which are always sent. */
function refundFooter(workspace: string): string {
  return `You're receiving this email because you're an owner or manager of ${workspace} on Placard.`;
}
