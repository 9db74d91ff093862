import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import type { Payments } from "#libs/payments/index.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import type { PriceRow, ShownTier, TierRow } from "./queries.ts";

type TierOfWorkspace = Payloads["on-sale"];

interface OnSalePorts {
  readonly db: Kysely<Tables>;
  readonly payments: Payments;
  readonly logger: Logger;
  /** Whether no attempt can find the object of a call that has failed in an account. */
  readonly isGone: (account: string | null, error: unknown) => Promise<boolean>;
}

/** Whether a change leaves all that the processor knows: the tier's name, and whether it and its prices are on sale. */
export function isSoldAlike(before: ShownTier, after: ShownTier): boolean {
  return saleOf(before) === saleOf(after);
}

/** Queues `tellOnSale` if the processor knows the tier. Such jobs run one at a time: of two, the older could win. */
export async function queueOnSale(trx: Transaction<Tables>, { workspaceId, tierId }: TierOfWorkspace) {
  const known = await trx
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .where("provider_product_id", "is not", null)
    .select("id")
    .executeTakeFirst();
  if (known !== undefined) await enqueue(trx, "on-sale", { workspaceId, tierId });
}

/**
 * Sends the processor a tier's name and whether the tier and its prices are on sale, and records what was sent. Holds no
 * transaction while the processor answers. Returns whether there was anything to send. Throws `PaymentsError`; calling it
 * again is safe.
 */
export async function tellOnSale(ports: OnSalePorts, { workspaceId, tierId }: TierOfWorkspace) {
  const { db } = ports;
  const tier = await db
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .selectAll()
    .executeTakeFirst();
  if (tier === undefined) return false;
  const prices = await findOutdatedPrices(db, tier);
  for (const price of prices) await sendPrice(ports, price);
  if (tier.provider_product_id === null) return prices.length > 0;
  await sendTier(ports, tier, tier.provider_product_id);
  return true;
}

function saleOf(tier: ShownTier): string {
  return JSON.stringify([tier.name, tier.isActive, tier.prices.map(({ id, isActive }) => [id, isActive])]);
}

async function findOutdatedPrices(db: Kysely<Tables>, tier: TierRow) {
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

async function sendPrice(
  ports: OnSalePorts,
  price: PriceRow & { readonly provider_price_id: string },
): Promise<void> {
  const { db, payments } = ports;
  await unlessGone(ports, price.provider_account, () =>
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

async function sendTier(ports: OnSalePorts, tier: TierRow, processorProductId: string): Promise<void> {
  const { db, payments } = ports;
  await unlessGone(ports, tier.provider_account, () =>
    payments.archiveProduct(processorProductId, {
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
    .where("provider_product_id", "=", processorProductId)
    .execute();
}

/** A product or price that somebody has deleted at the processor, or with its account, is not on sale there anyway. */
async function unlessGone(
  ports: OnSalePorts,
  account: string | null,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(await ports.isGone(account, error))) throw error;
    ports.logger.warn({ err: error }, "a product or a price is gone from the payment processor");
  }
}
