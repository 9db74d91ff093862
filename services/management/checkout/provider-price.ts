import type { Selectable } from "kysely";
import type { PricesTable } from "#libs/database/tables-tiers.ts";
import type { ProviderPrice } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";

/** A price about to be sold, with what is known of its tier's product at the processor. */
export interface OfferedPrice extends Selectable<PricesTable> {
  readonly tier_name: string;
  readonly provider_product_id: string | null;
  readonly tier_provider_active: boolean;
}

/**
 * The processor's price for ours in that account, made when it is first sold there and brought back where it was
 * archived. Racing makers get the same one from the processor.
 */
export async function ensureProviderPrice(
  services: Services,
  offer: OfferedPrice,
  account: string | null,
): Promise<string> {
  const known = knownPrice(offer, account);
  if (known !== null && offer.provider_active && offer.tier_provider_active) return known.providerPriceId;
  if (known !== null) await bringBack(services, known, account);
  const price =
    known ??
    (await services.payments.ensurePrice({
      account,
      workspaceId: offer.workspace_id,
      tierId: offer.tier_id,
      tierName: offer.tier_name,
      tierPriceId: offer.id,
      interval: offer.interval,
      intervalCount: offer.interval_count,
      amount: offer.amount,
      currency: offer.currency,
    }));
  await rememberPrice(services, offer, price, account);
  return price.providerPriceId;
}

/** What lies in another account than the one that is sold in now does not count. */
function knownPrice(offer: OfferedPrice, account: string | null): ProviderPrice | null {
  const { provider_price_id: providerPriceId, provider_product_id: providerProductId } = offer;
  if (providerPriceId === null || providerProductId === null || offer.provider_account !== account)
    return null;
  return { providerPriceId, providerProductId };
}

async function bringBack({ payments }: Services, price: ProviderPrice, account: string | null) {
  const back = () => ({ account, active: true, idempotencyKey: crypto.randomUUID() });
  await payments.archiveProduct(price.providerProductId, back());
  await payments.archivePrice(price.providerPriceId, back());
}

async function rememberPrice(
  { db }: Services,
  offer: OfferedPrice,
  price: ProviderPrice,
  account: string | null,
): Promise<void> {
  const held = { provider_account: account, provider_active: true };
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable("tiers")
      .set({ provider_product_id: price.providerProductId, ...held })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.tier_id)
      .execute();
    await trx
      .updateTable("prices")
      .set({ provider_price_id: price.providerPriceId, ...held })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.id)
      .execute();
  });
}
