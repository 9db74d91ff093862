import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";
import type { PriceRow, ShownTier, TierRow } from "./present.ts";

interface TierOfWorkspace {
  readonly workspaceId: string;
  readonly tierId: string;
}

/** Whether the processor has to be told of a change: what it knows of a tier is its name and what of it is on sale. */
export function isSoldAlike(before: ShownTier, after: ShownTier): boolean {
  return saleOf(before) === saleOf(after);
}

/**
 * Queues the telling of the processor, in the transaction of the change, where it knows the tier. One telling comes after
 * the other: of two at the same time the older could have the last word.
 */
export async function queueOnSale(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: TierOfWorkspace,
): Promise<void> {
  await trx
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .where("provider_product_id", "is not", null)
    .select(
      sql`graphile_worker.add_job(
        'on-sale', json_build_object('workspaceId', workspace_id, 'tierId', id),
        job_key => 'on-sale:' || id, queue_name => 'on-sale'
      )`.as("job"),
    )
    .execute();
}

/**
 * Tells the processor what of a tier is on sale now, and its name, and notes what it was told. Holds no transaction
 * while the processor answers. Returns whether there was anything to tell; throws `PaymentsError`, and then can be
 * called again.
 */
export async function tellOnSale(
  services: Services,
  { workspaceId, tierId }: TierOfWorkspace,
): Promise<boolean> {
  const { db } = services;
  const tier = await db
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .selectAll()
    .executeTakeFirst();
  if (tier === undefined) return false;
  const prices = await findUntoldPrices(db, tier);
  for (const price of prices) await tellPrice(services, price);
  if (tier.provider_product_id === null) return prices.length > 0;
  await tellTier(services, tier, tier.provider_product_id);
  return true;
}

function saleOf(tier: ShownTier): string {
  return JSON.stringify([tier.name, tier.isActive, tier.prices.map(({ id, isActive }) => [id, isActive])]);
}

async function findUntoldPrices(db: Kysely<Tables>, tier: TierRow) {
  return await db
    .selectFrom("prices")
    .where("workspace_id", "=", tier.workspace_id)
    .where("tier_id", "=", tier.id)
    .where("provider_price_id", "is not", null)
    .whereRef("is_active", "!=", "provider_active")
    .selectAll()
    .$narrowType<{ provider_price_id: string }>()
    .execute();
}

async function tellPrice(
  { db, payments, logger }: Services,
  price: PriceRow & { readonly provider_price_id: string },
): Promise<void> {
  await unlessGone(logger, () =>
    payments.archivePrice(price.provider_price_id, {
      account: price.provider_account,
      active: price.is_active,
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  await db
    .updateTable("prices")
    .set({ provider_active: price.is_active })
    .where("workspace_id", "=", price.workspace_id)
    .where("id", "=", price.id)
    .where("provider_price_id", "=", price.provider_price_id)
    .execute();
}

async function tellTier(
  { db, payments, logger }: Services,
  tier: TierRow,
  providerProductId: string,
): Promise<void> {
  await unlessGone(logger, () =>
    payments.archiveProduct(providerProductId, {
      account: tier.provider_account,
      active: tier.is_active,
      name: tier.name,
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  await db
    .updateTable("tiers")
    .set({ provider_active: tier.is_active })
    .where("workspace_id", "=", tier.workspace_id)
    .where("id", "=", tier.id)
    .where("provider_product_id", "=", providerProductId)
    .execute();
}

/** What was deleted at the processor by hand is not on sale there, whatever we say. */
async function unlessGone(logger: Services["logger"], tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== "NOT_FOUND") throw error;
    logger.warn({ err: error }, "a product or a price is gone from the payment processor");
  }
}
