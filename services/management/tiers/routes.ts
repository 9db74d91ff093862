import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { announceChange } from "../serving-feed/version.ts";
import { presentTier } from "./present.ts";
import { findTier, insertTier, listTiers, type NewPrice, setTierActive } from "./queries.ts";

export const tierRoutes = {
  list: api.tiers.list.handler(async ({ input, context: { services } }) => {
    const { envelope, tiers } = await listTiers(services.db, input.workspaceId, input);
    return { ...envelope, items: tiers.map(({ tier, prices }) => presentTier(tier, prices)) };
  }),

  create: api.tiers.create.handler(async ({ input, context: { services } }) => {
    refuseRepeatedShapes(input.initialPrices);
    return await services.db.transaction().execute(async (trx) => {
      const id = await insertTier(trx, input.workspaceId, {
        ...input,
        order: input.order,
        prices: input.initialPrices,
      });
      await announceChange(trx, input.workspaceId);
      return await showTier(trx, input.workspaceId, id);
    });
  }),

  archive: api.tiers.archive.handler(async ({ input, context: { services } }) =>
    changeSale(services.db, input.workspaceId, input.tierId, false),
  ),

  unarchive: api.tiers.unarchive.handler(async ({ input, context: { services } }) =>
    changeSale(services.db, input.workspaceId, input.tierId, true),
  ),
};

async function changeSale(db: Kysely<Tables>, workspaceId: string, tierId: string, isActive: boolean) {
  return await db.transaction().execute(async (trx) => {
    const changed = await setTierActive(trx, workspaceId, tierId, isActive);
    if (changed) await announceChange(trx, workspaceId);
    return await showTier(trx, workspaceId, tierId);
  });
}

async function showTier(db: Kysely<Tables>, workspaceId: string, tierId: string) {
  const found = await findTier(db, workspaceId, tierId);
  if (found === undefined) throw notFound("Tier");
  return presentTier(found.tier, found.prices);
}

/** Two active prices of one shape would leave it to chance what an advertiser pays. */
function refuseRepeatedShapes(prices: readonly NewPrice[]): void {
  const seen = new Set<string>();
  for (const [index, { interval, intervalCount, currency }] of prices.entries()) {
    const shape = `${interval}:${intervalCount}:${currency}`;
    if (seen.has(shape)) {
      throw conflict({
        fieldErrors: {
          [`initialPrices.${index}`]: ["The tier already has a price of this interval, count and currency."],
        },
      });
    }
    seen.add(shape);
  }
}
