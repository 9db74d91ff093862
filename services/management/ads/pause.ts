import { isEligible } from "#libs/domain/eligibility.ts";
import { actorOf, api } from "../api.ts";
import { recordSubscription } from "../checkout/subscriptions.ts";
import { changeAd } from "./change.ts";
import { servingFacts } from "./facts.ts";

/** Taking an ad off the air and its billing with it, and back. The processor goes first: if it fails, nothing changes. */
export const pauseRoutes = {
  pause: api.ads.pause.handler(async ({ input, context }) => {
    const { services } = context;
    return await changeAd(
      services,
      actorOf(context),
      { action: "ad.pause", ...input },
      (ad) =>
        isEligible(servingFacts(ad), services.now()) ? null : "Only an ad that is serving can be paused.",
      async (trx, ad) => {
        const paused = await services.payments.pauseSubscription(ad.provider_subscription_id, newIntent());
        await recordSubscription(trx, ad.subscription_id, paused);
      },
    );
  }),

  resume: api.ads.resume.handler(async ({ input, context }) => {
    const { services } = context;
    return await changeAd(
      services,
      actorOf(context),
      { action: "ad.resume", ...input },
      (ad) => (ad.subscription_status === "Paused" ? null : "Only a paused ad can be resumed."),
      async (trx, ad) => {
        const resumed = await services.payments.resumeSubscription(ad.provider_subscription_id, newIntent());
        await recordSubscription(trx, ad.subscription_id, resumed);
      },
    );
  }),
};

/**
 * Each call is an intent of its own: pausing what is paused does no harm, while the repeated answer of an earlier pause
 * would hide that somebody has resumed the subscription at the processor since.
 */
function newIntent() {
  return { account: null, idempotencyKey: crypto.randomUUID() };
}
