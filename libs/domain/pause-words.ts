import type { PausedPeriod } from "./charging.ts";

/** What a resumption does to the period in which a subscription was paused. */
export const AT_RESUMPTION: Readonly<Record<PausedPeriod, string>> = {
  paid: "The rest of the current period runs then.",
  owed: "The payment that's due is made then.",
  void: "A new billing period begins then.",
  free: "",
};

/** Follows the day on which a paused subscription ends that was canceled. `condition` is a resumption: `you resume the ad`. */
export function ifResumed(period: PausedPeriod, condition: string): string {
  if (period === "void") return `, or at once if ${condition} before that.`;
  const payment = period === "owed" ? "the payment that's due is made, and " : "";
  return `. If ${condition} before that, ${payment}the rest of the current period runs first.`;
}
