import { formats } from "./formats.ts";
import { type Letter, link, quote, subject } from "./letter.ts";
import { priceOf, type SaleFacts, saleOf } from "./sales.ts";

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
      "Hi,",
      isRevision
        ? `${advertiser} has submitted an edit of ${ad} (${tier}). The current version stays live.`
        : `${advertiser} has submitted ${ad} (${tier}). It goes live when you approve it.`,
      ...link("Review", url),
    ],
    footer: footerOf(workspace),
  };
}

/** A placement that was bought; without an ad the publisher has nothing to review yet. */
export function purchaseNotice(sale: SaleFacts): Letter {
  const { advertiser, workspace, tier, price, ad, url } = sale;
  const paid = price.amount === 0 ? "free" : priceOf(price);
  return {
    subject: subject`New purchase: ${advertiser} in ${tier}`,
    preheader: `${advertiser} bought ${tier} (${paid}).`,
    blocks: [
      "Hi,",
      `${advertiser} has bought ${tier} (${paid}).`,
      ad === null
        ? "There's no ad to review yet. We've emailed them the link to submit it, and we'll email you when they have."
        : `They have already submitted ${ad}.`,
      ...link("View advertiser", url),
    ],
    footer: footerOf(workspace),
  };
}

/** A purchase that still has no ad after `days`. */
export function adMissingNotice({
  days,
  isReminded,
  ...sale
}: SaleFacts & { readonly days: number; readonly isReminded: boolean }): Letter {
  const { advertiser, workspace, tier, url } = sale;
  return {
    subject: subject`Still no ad from ${advertiser}`,
    preheader: `${advertiser} bought ${tier} ${days} days ago.`,
    blocks: [
      "Hi,",
      `${advertiser} bought ${tier} ${days} days ago and hasn't submitted an ad yet.`,
      isReminded
        ? "We've just reminded them. You may want to contact them yourself."
        : "We have no email address of theirs to remind them.",
      ...link("View advertiser", url),
    ],
    footer: footerOf(workspace),
  };
}

/** `liveUntil` is when the ad goes off if nothing is paid; null if it is off already. */
export function paymentFailedNotice({
  liveUntil,
  ...sale
}: SaleFacts & { readonly liveUntil: Date | null }): Letter {
  const effect =
    liveUntil === null
      ? "The ad is paused until payment goes through."
      : `The ad stays live until ${formats.day(liveUntil)}. After that it's paused until payment goes through.`;
  return {
    subject: subject`${sale.advertiser}'s payment failed`,
    preheader: `${saleOf(sale)}, ${priceOf(sale.price)}.`,
    blocks: [
      "Hi,",
      `${sale.advertiser}'s payment for ${saleOf(sale)} (${priceOf(sale.price)}) failed.`,
      `${effect} We'll try again, and we've asked the advertiser to update their payment details.`,
      ...link("View advertiser", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/** The end of the days that an ad stayed live without its renewal. */
export function graceEndedNotice(sale: SaleFacts): Letter {
  return {
    subject: subject`${sale.advertiser}'s ad is paused: payment missing`,
    preheader: `${saleOf(sale)}, ${priceOf(sale.price)}.`,
    blocks: [
      "Hi,",
      `${sale.advertiser}'s payment for ${saleOf(sale)} (${priceOf(sale.price)}) still hasn't gone through. The grace period is over, and the ad is no longer shown.`,
      "It goes live again as soon as payment goes through.",
      ...link("View advertiser", sale.url),
    ],
    footer: footerOf(sale.workspace),
  };
}

/** `endsAt` is null once the subscription has ended; `comment` is in the advertiser's words. */
export function cancellationNotice({
  endsAt,
  comment,
  ...sale
}: SaleFacts & { readonly endsAt: Date | null; readonly comment: string | null }): Letter {
  const { advertiser, workspace, url } = sale;
  const sold = `${saleOf(sale)} (${priceOf(sale.price)})`;
  return {
    subject:
      endsAt === null ? subject`${advertiser}'s subscription has ended` : subject`${advertiser} has canceled`,
    preheader: `${saleOf(sale)}, ${priceOf(sale.price)}.`,
    blocks: [
      "Hi,",
      endsAt === null
        ? `${advertiser}'s subscription for ${sold} has ended.`
        : `${advertiser} has canceled ${sold}. The ad stays live until ${formats.day(endsAt)}, then the subscription ends.`,
      ...(comment === null ? [] : ["Reason given:", quote(comment)]),
      ...link("View advertiser", url),
    ],
    footer: footerOf(workspace),
  };
}

function footerOf(workspace: string): string {
  return `You're receiving this email because you're an owner or manager of ${workspace} on Placard. An owner can turn these notifications off in Settings → Emails.`;
}
