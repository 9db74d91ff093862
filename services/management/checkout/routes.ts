import { tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { presentSubmittedAd } from "../ads/present.ts";
import { api } from "../api.ts";
import { presentField } from "../fields/present.ts";
import { listFieldIds, listFieldsForAdvertisers } from "../fields/queries.ts";
import type { RequestContext } from "../services.ts";
import { startCheckout } from "./sale.ts";
import { currentCheckout } from "./sessions.ts";
import { submitAd } from "./submission.ts";

const START_RATE: RateRule = { name: "checkout", points: 20, durationSeconds: 60 };
const SESSION_RATE: RateRule = { name: "submission", points: 60, durationSeconds: 60 };

export const checkoutRoutes = {
  create: api.checkout.create.handler(async ({ input, context }) => {
    await limitByAddress(context, START_RATE);
    return await startCheckout(context.services, {
      workspaceId: input.workspaceId,
      tierPriceId: input.tierPriceId,
      email: input.email,
      cancelUrl: input.cancelUrl,
    });
  }),

  get: api.checkout.get.handler(async ({ input, context }) => {
    await limitByAddress(context, SESSION_RATE);
    const { services } = context;
    const session = await currentCheckout(services, input.sessionId);
    const fields = await listFieldsForAdvertisers(services.db, session.workspace_id);
    const ad =
      session.subscription_id === null
        ? undefined
        : await services.db
            .selectFrom("ads")
            .where("subscription_id", "=", session.subscription_id)
            .selectAll()
            .executeTakeFirst();
    return {
      status: session.status,
      workspace: { id: session.workspace_id, name: session.workspace_name },
      tier: {
        id: session.tier_id,
        name: session.tier_name,
        description: session.tier_description,
        weight: session.tier_weight,
        features: session.tier_features,
      },
      tierPrice: {
        id: session.price_id,
        interval: session.interval,
        intervalCount: session.interval_count,
        amount: session.amount,
        currency: session.currency,
      },
      fields: fields.map(presentField),
      ad: ad === undefined ? null : presentSubmittedAd(ad, new Set(fields.map(({ id }) => id))),
    };
  }),

  submit: api.checkout.submit.handler(async ({ input, context }) => {
    await limitByAddress(context, SESSION_RATE);
    const ad = await submitAd(context.services, input.sessionId, {
      name: input.name,
      websiteUrl: input.websiteUrl,
      meta: input.meta,
    });
    return presentSubmittedAd(ad, await listFieldIds(context.services.db, ad.workspace_id));
  }),

  upload: api.checkout.upload.handler(async ({ input, context }) => {
    await limitByAddress(context, SESSION_RATE);
    const session = await currentCheckout(context.services, input.sessionId);
    return await context.services.uploads.grant({
      ...input,
      workspaceId: session.workspace_id,
      now: context.services.now(),
    });
  }),
};

async function limitByAddress({ services, address }: RequestContext, rule: RateRule): Promise<void> {
  const rate = await services.limits.consume(rule, address);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
