import type { Transaction } from "kysely";
import type { TierPrice } from "#libs/contract/price.ts";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { api, forMembers, type MemberContext } from "../../api/api.ts";
import { enforcePriceQuota } from "../../store/quotas.ts";
import { changeTier, type TierAction } from "./change.ts";
import type { ShownTier } from "./queries.ts";

export const priceRoutes = {
  create: forMembers(api.prices.create, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { tierId } = input;
    const priceId = newId("price");
    return await changeTier(context, {
      tierId,
      action: "price.create",
      resourceId: priceId,
      resource: (tier) => priceIn(tier, priceId),
      write: async (trx) => {
        await enforcePriceQuota(trx, { workspaceId, tierId });
        await claimShape(insertPrices(trx, { workspaceId, tierId }, [{ ...input, id: priceId }]));
      },
    });
  }),

  archive: forMembers(api.prices.archive, async ({ input, context }) =>
    changeSale(context, input, "price.archive", false),
  ),

  unarchive: forMembers(api.prices.unarchive, async ({ input, context }) =>
    changeSale(context, input, "price.unarchive", true),
  ),
};

async function changeSale(
  context: MemberContext,
  { tierId, priceId }: { readonly tierId: string; readonly priceId: string },
  action: TierAction,
  isActive: boolean,
) {
  const { workspaceId } = context.access;
  return await changeTier(context, {
    tierId,
    action,
    resourceId: priceId,
    resource: (tier) => priceIn(tier, priceId),
    write: async (trx, tier) => {
      if (priceIn(tier, priceId) === null) throw notFound("Price");
      const write = trx
        .updateTable("prices")
        .set({ is_active: isActive })
        .where("workspace_id", "=", workspaceId)
        .where("tier_id", "=", tierId)
        .where("id", "=", priceId);
      await claimShape(write.execute());
    },
  });
}

function priceIn(tier: ShownTier, priceId: string) {
  const price = tier.prices.find(({ id }) => id === priceId);
  return price === undefined ? null : { ...price, tierId: tier.id };
}

/** Without an id it gets a new one. */
type NewPrice = Omit<TierPrice, "id" | "isActive"> & { readonly id?: string };

/** Adds active prices, at least one, to a tier. */
export async function insertPrices(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: { readonly workspaceId: string; readonly tierId: string },
  prices: readonly NewPrice[],
): Promise<void> {
  await trx
    .insertInto("prices")
    .values(
      prices.map((price) => ({
        id: price.id ?? newId("price"),
        workspace_id: workspaceId,
        tier_id: tierId,
        interval: price.interval,
        interval_count: price.intervalCount,
        amount: price.amount,
        currency: price.currency,
      })),
    )
    .execute();
}

const TAKEN = "The tier already has an active price of this interval, count and currency.";

/** Throws 409 at the second of two prices of a new tier with one period and currency: an advertiser could pay either. */
export function refuseRepeatedShapes(prices: readonly NewPrice[]): void {
  const seen = new Set<string>();
  for (const [index, { interval, intervalCount, currency }] of prices.entries()) {
    const shape = `${interval}:${intervalCount}:${currency}`;
    if (seen.has(shape))
      throw conflict("PRICE_EXISTS", { fieldErrors: { [`initialPrices.${index}`]: [TAKEN] } });
    seen.add(shape);
  }
}

/** Awaits the write that puts a price on sale. Throws 409 at `interval` if another one has its period and currency. */
async function claimShape<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedConstraint(error) !== "prices_active_shape") throw error;
    throw conflict("PRICE_EXISTS", { fieldErrors: { interval: [TAKEN] } });
  }
}
