import { isEligible } from "#libs/domain/eligibility.ts";
import { api } from "../api.ts";
import { recordSubscription } from "../checkout/subscriptions.ts";
import { changeAd } from "./change.ts";
import type { AdRow } from "./queries.ts";

/** Taking an ad off the air and its billing with it, and back. */
export const servingRoutes = {
  pause: api.ads.pause.handler(async ({ input, context: { services } }) =>
    changeAd(
      services,
      input,
      (ad) => (isServing(ad, services.now()) ? null : "Only an ad that is serving can be paused."),
      async (trx, ad) => {
        const paused = await services.payments.pauseSubscription(ad.provider_subscription_id, {
          idempotencyKey: `pause:${stateOf(ad)}`,
        });
        await recordSubscription(trx, ad.subscription_id, paused);
      },
    ),
  ),

  resume: api.ads.resume.handler(async ({ input, context: { services } }) =>
    changeAd(
      services,
      input,
      (ad) => (ad.subscription_status === "Paused" ? null : "Only a paused ad can be resumed."),
      async (trx, ad) => {
        const resumed = await services.payments.resumeSubscription(ad.provider_subscription_id, {
          idempotencyKey: `resume:${stateOf(ad)}`,
        });
        await recordSubscription(trx, ad.subscription_id, resumed);
      },
    ),
  ),
};

function isServing(ad: AdRow, now: number): boolean {
  return isEligible(
    {
      adStatus: ad.status,
      subscriptionStatus: ad.subscription_status,
      cancelAtPeriodEnd: ad.cancel_at_period_end,
      cancelAt: ad.cancel_at?.getTime() ?? null,
      currentPeriodEnd: ad.current_period_end?.getTime() ?? null,
    },
    now,
  );
}

/** Names the state that a change starts from: a repeated try is the same intent, one after another change is not. */
function stateOf(ad: AdRow): string {
  return `${ad.subscription_id}:${ad.subscription_updated_at.getTime()}`;
}
