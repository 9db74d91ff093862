import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { Services } from "../services.ts";
import { checkoutAddress } from "./sessions.ts";

type Offer = NonNullable<Awaited<ReturnType<typeof findOffer>>>;

/**
 * Opens a hosted checkout for a price and remembers it under the processor's session id. 404 for a workspace or price
 * that does not exist, 409 for one that is no longer on sale.
 */
export async function startCheckout(
  services: Services,
  request: {
    workspaceId: string;
    tierPriceId: string;
    email: string | undefined;
    cancelUrl: string | undefined;
  },
): Promise<{ url: string; sessionId: string }> {
  const offer = await findOffer(services.db, request.workspaceId, request.tierPriceId);
  if (offer === undefined) throw notFound("Tier price");
  if (!offer.is_active || !offer.tier_is_active) {
    throw conflict({ fieldErrors: { tierPriceId: ["This price is no longer on sale."] } });
  }

  const providerPriceId = await ensureProviderPrice(services, offer);
  const session = await services.payments.createCheckoutSession({
    account: null,
    workspaceId: offer.workspace_id,
    tierPriceId: offer.id,
    providerPriceId,
    free: offer.amount === 0,
    trialDays: offer.amount === 0 ? null : services.sales.trialDays,
    allowPromotionCodes: true,
    email: request.email,
    successUrl: checkoutAddress(services.publicUrl, "{CHECKOUT_SESSION_ID}"),
    cancelUrl: request.cancelUrl ?? offer.website_url ?? services.publicUrl.origin,
    clientReferenceId: offer.workspace_id,
    idempotencyKey: `checkout:${crypto.randomUUID()}`,
  });
  await services.db
    .insertInto("checkout_sessions")
    .values({ id: session.providerSessionId, workspace_id: offer.workspace_id, price_id: offer.id })
    .execute();
  return { url: session.url, sessionId: session.providerSessionId };
}

/** The processor's price for ours, made when it is first sold. Racing makers get the same one from the processor. */
async function ensureProviderPrice(services: Services, offer: Offer): Promise<string> {
  if (offer.provider_price_id !== null) return offer.provider_price_id;
  const made = await services.payments.ensurePrice({
    account: null,
    workspaceId: offer.workspace_id,
    tierId: offer.tier_id,
    tierName: offer.tier_name,
    tierPriceId: offer.id,
    interval: offer.interval,
    intervalCount: offer.interval_count,
    amount: offer.amount,
    currency: offer.currency,
  });
  await services.db.transaction().execute(async (trx) => {
    await trx
      .updateTable("tiers")
      .set({ provider_product_id: made.providerProductId })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.tier_id)
      .execute();
    await trx
      .updateTable("prices")
      .set({ provider_price_id: made.providerPriceId })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.id)
      .execute();
  });
  return made.providerPriceId;
}

async function findOffer(db: Kysely<Tables>, workspaceId: string, priceId: string) {
  if (!isId("workspace", workspaceId) || !isId("price", priceId)) return undefined;
  return await db
    .selectFrom("prices")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .innerJoin("workspaces", "workspaces.id", "prices.workspace_id")
    .where("prices.workspace_id", "=", workspaceId)
    .where("prices.id", "=", priceId)
    .selectAll("prices")
    .select(["tiers.name as tier_name", "tiers.is_active as tier_is_active", "workspaces.website_url"])
    .executeTakeFirst();
}
