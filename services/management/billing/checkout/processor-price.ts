import type { Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProcessorPrice } from "#libs/payments/index.ts";
import type { Billing } from "../mirror.ts";

/** A price about to be sold, with the product of its tier at the processor. */
export interface OfferedPrice extends Selectable<Tables["prices"]> {
  readonly tier_name: string;
  readonly provider_product_id: string | null;
  readonly tier_provider_active: boolean;
}

/**
 * The processor's price for ours in that account: created when it is first sold there, unarchived if it was archived. Racing
 * callers get the same one from the processor.
 */
export async function ensureProcessorPrice(
  { db, payments }: Pick<Billing, "db" | "payments">,
  offer: OfferedPrice,
  account: string | null,
): Promise<string> {
  const known = knownPrice(offer, account);
  if (known !== null && offer.provider_active && offer.tier_provider_active) return known.processorPriceId;
  if (known !== null) {
    const write = () => ({ account, active: true, idempotencyKey: crypto.randomUUID() });
    await payments.archiveProduct(known.processorProductId, write());
    await payments.archivePrice(known.processorPriceId, write());
  }
  const price =
    known ??
    (await payments.ensurePrice({
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
  await rememberPrice(db, offer, price, account);
  return price.processorPriceId;
}

/** Null for a price in another account than the current one. */
function knownPrice(offer: OfferedPrice, account: string | null): ProcessorPrice | null {
  const { provider_price_id: processorPriceId, provider_product_id: processorProductId } = offer;
  if (processorPriceId === null || processorProductId === null || offer.provider_account !== account)
    return null;
  return { processorPriceId, processorProductId };
}

async function rememberPrice(
  db: Billing["db"],
  offer: OfferedPrice,
  price: ProcessorPrice,
  account: string | null,
): Promise<void> {
  const held = { provider_account: account, provider_active: true };
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable("tiers")
      .set({ provider_product_id: price.processorProductId, ...held })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.tier_id)
      .execute();
    await trx
      .updateTable("prices")
      .set({ provider_price_id: price.processorPriceId, ...held })
      .where("workspace_id", "=", offer.workspace_id)
      .where("id", "=", offer.id)
      .execute();
  });
}
