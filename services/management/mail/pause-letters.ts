// Letters to advertisers about a pause by the publisher.
import type { PausedPeriod } from "#libs/domain/charging.ts";
import type { Outlook } from "#libs/domain/outlook.ts";
import { footerOf } from "./advertiser-letters.ts";
import { formats } from "./formats.ts";
import { type Letter, link, subject } from "./letter.ts";
import { whatFollows } from "./outlook-words.ts";
import { type SaleFacts, saleOf } from "./sales.ts";

export function pausedLetter({ outlook, ...sale }: SaleFacts & { readonly outlook: Outlook }): Letter {
  const { advertiser, workspace, ad, tier, url } = sale;
  return {
    subject: subject`Your ad is paused: ${ad ?? tier}`,
    preheader: `${workspace} paused it.`,
    blocks: [
      `Hi ${advertiser},`,
      `${workspace} paused ${saleOf(sale)}, so it isn't shown. ${whatFollows(outlook)}`,
      ...link("See your ad", url),
    ],
    footer: footerOf(workspace),
  };
}

/**
 * `period` is what the pause had left of its period. `paid` is what was charged for the period that runs now, null while that is not
 * known.
 */
export function resumedLetter({
  outlook: { hasAd: isLive, end },
  period,
  paid,
  ...sale
}: SaleFacts & {
  readonly outlook: Outlook;
  readonly period: PausedPeriod;
  readonly paid: number | null;
}): Letter {
  const { advertiser, workspace, ad, tier, price, url } = sale;
  const ends = end === null ? [] : [`Your subscription now ends on ${formats.day(end.at)}.`];
  const isRenewed = end === null || end.isRenewed;
  const moved = isRenewed
    ? ["Your billing date has moved by the time it wasn't shown, so you don't pay for that time.", ...ends]
    : ends;
  const amount = paid === null ? "" : ` (${formats.money(paid, price.currency)})`;
  const effects: Readonly<Record<PausedPeriod, readonly string[]>> = {
    paid: moved,
    owed: [`The payment that was due is made${amount}.`, ...moved],
    void: [`A new billing period has begun${amount}.`, ...ends],
    free: ends,
  };
  const live = isLive ? ["It's live again."] : [];
  return {
    subject: isLive ? subject`Your ad is live again: ${ad ?? tier}` : subject`Resumed: ${ad ?? tier}`,
    preheader: `${workspace} resumed it.`,
    blocks: [
      `Hi ${advertiser},`,
      [`${workspace} resumed ${saleOf(sale)}.`, ...live, ...effects[period]].join(" "),
      ...link("See your ad", url),
    ],
    footer: footerOf(workspace),
  };
}
