import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import type { ListedAd } from "./ad-shapes.ts";

/** Why an ad of a list is not served at `now` (milliseconds since the epoch), in sentences; empty when it is eligible. */
export function whyNotServed(ad: Pick<ListedAd, "status" | "subscription">, now: number): string[] {
  const { subscription } = ad;
  const reasons = reasonsNotServed(
    {
      adStatus: ad.status,
      subscriptionStatus: subscription.status,
      cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
      cancelAt: asInstant(subscription.cancelAt),
      currentPeriodEnd: asInstant(subscription.currentPeriodEnd),
    },
    now,
  );
  return reasons.map(({ message }) => message);
}

function asInstant(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
