// Letters to advertisers about a pause by the publisher.
import type { PausedPeriod } from "#libs/domain/charging.ts";
import { footerOf } from "./advertiser-letters.ts";
import { formats } from "./formats.ts";
import { type Letter, link, subject } from "./letter.ts";
import { type SaleFacts, saleOf } from "./sales.ts";

interface Pause {
  /** What is left of the current period. */
  readonly period: PausedPeriod;
  /** When the subscription ends that was canceled, with no period after this one; else null. */
  readonly endsAt: Date | null;
}

const WHILE_PAUSED: Readonly<Record<PausedPeriod, string>> = {
  paid: "You won't be charged until it's resumed. The rest of the current period runs then.",
  owed: "You won't be charged until it's resumed. The payment that's due is made then.",
  void: "You won't be charged until it's resumed. A new billing period begins then.",
  free: "It's shown again once it's resumed.",
};

/** True also of a cancellation in the hour in which the invoice of the current period is still a draft. */
export const NO_OTHER_PERIOD = "You won't be charged for another period.";

const ENDS_WHILE_PAUSED: Readonly<Record<PausedPeriod, (day: string) => string>> = {
  paid: (day) =>
    `It ends on ${day}. If your ad is resumed before that, the rest of the current period runs first. ${NO_OTHER_PERIOD}`,
  owed: (day) =>
    `It ends on ${day}. If your ad is resumed before that, the payment that's due is made, and the rest of the current period runs first. ${NO_OTHER_PERIOD}`,
  void: (day) => `It ends on ${day}, or at once if your ad is resumed before that. ${NO_OTHER_PERIOD}`,
  free: (day) =>
    `It ends on ${day}. If your ad is resumed before that, the rest of the current period runs first.`,
};

/** What a pause means for the one who pays. */
export function whilePaused({ period, endsAt }: Pause): string {
  return endsAt === null ? WHILE_PAUSED[period] : ENDS_WHILE_PAUSED[period](formats.day(endsAt));
}

export function pausedLetter({ period, endsAt, ...sale }: SaleFacts & Pause): Letter {
  const { advertiser, workspace, ad, tier, url } = sale;
  return {
    subject: subject`Your ad is paused: ${ad ?? tier}`,
    preheader: `${workspace} paused it.`,
    blocks: [
      `Hi ${advertiser},`,
      `${workspace} paused ${saleOf(sale)}, so it isn't shown. ${whilePaused({ period, endsAt })}`,
      ...link("See your ad", url),
    ],
    footer: footerOf(workspace),
  };
}

/**
 * `isLive` is whether the ad was approved, so that it is shown again; `period` is what the pause had left of it. `paid` is what was charged
 * for the period that runs now, null while that is not known.
 */
export function resumedLetter({
  isLive,
  period,
  endsAt,
  paid,
  ...sale
}: SaleFacts & Pause & { readonly isLive: boolean; readonly paid: number | null }): Letter {
  const { advertiser, workspace, ad, tier, price, url } = sale;
  const moved =
    endsAt === null
      ? "Your billing date has moved by the time it wasn't shown, so you don't pay for that time."
      : `Your subscription now ends on ${formats.day(endsAt)}.`;
  const amount = paid === null ? "" : ` (${formats.money(paid, price.currency)})`;
  const effects: Readonly<Record<PausedPeriod, readonly string[]>> = {
    paid: [moved],
    owed: [`The payment that was due is made${amount}.`, moved],
    void: [`A new billing period has begun${amount}.`],
    free: endsAt === null ? [] : [moved],
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
