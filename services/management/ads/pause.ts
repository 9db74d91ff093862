import { isEligible } from "#libs/domain/eligibility.ts";
import { api, forMembers } from "../api.ts";
import { changeAdAtProcessor } from "./change-at-processor.ts";
import { servingFacts } from "./facts.ts";
import type { AdRow } from "./queries.ts";

/** Taking an ad off the air and its billing with it, and back. The processor goes first: if it fails, nothing changes. */
export const pauseRoutes = {
  pause: forMembers(api.ads.pause, async ({ input, context }) => {
    const { services, access } = context;
    return await changeAdAtProcessor(
      services,
      access.actor,
      { action: "ad.pause", workspaceId: access.workspaceId, adId: input.adId },
      {
        refusal: (ad) =>
          isEligible(servingFacts(ad), services.now()) ? null : "Only an ad that is serving can be paused.",
        ask: (ad) => services.payments.pauseSubscription(ad.provider_subscription_id, newIntent(ad)),
      },
    );
  }),

  resume: forMembers(api.ads.resume, async ({ input, context }) => {
    const { services, access } = context;
    return await changeAdAtProcessor(
      services,
      access.actor,
      { action: "ad.resume", workspaceId: access.workspaceId, adId: input.adId },
      {
        refusal: (ad) => (ad.subscription_status === "Paused" ? null : "Only a paused ad can be resumed."),
        ask: (ad) => services.payments.resumeSubscription(ad.provider_subscription_id, newIntent(ad)),
      },
    );
  }),
};

/**
 * Each call is an intent of its own: pausing what is paused does no harm, while the repeated answer of an earlier pause
 * would hide that somebody has resumed the subscription at the processor since.
 */
function newIntent({ provider_account: account }: AdRow) {
  return { account, idempotencyKey: crypto.randomUUID() };
}
