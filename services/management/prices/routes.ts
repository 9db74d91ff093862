import { newId } from "#libs/domain/ids.ts";
import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { keepCapOfPrices } from "../caps.ts";
import type { RequestContext } from "../services.ts";
import { changeTier } from "../tiers/change.ts";
import type { ShownTier } from "../tiers/present.ts";
import { insertPrices, setPriceActive } from "./queries.ts";
import { claimShape } from "./shapes.ts";

export const priceRoutes = {
  create: api.prices.create.handler(async ({ input, context }) => {
    const { workspaceId, tierId } = input;
    const priceId = newId("price");
    return await changeTier(context, {
      workspaceId,
      tierId,
      action: "price.create",
      resourceId: priceId,
      resource: (tier) => priceIn(tier, priceId),
      write: async (trx) => {
        await keepCapOfPrices(trx, { workspaceId, tierId });
        await claimShape(insertPrices(trx, { workspaceId, tierId }, [{ ...input, id: priceId }]));
      },
    });
  }),

  archive: api.prices.archive.handler(async ({ input, context }) =>
    changeSale(context, input, "price.archive", false),
  ),

  unarchive: api.prices.unarchive.handler(async ({ input, context }) =>
    changeSale(context, input, "price.unarchive", true),
  ),
};

async function changeSale(
  context: RequestContext,
  target: { readonly workspaceId: string; readonly tierId: string; readonly priceId: string },
  action: `price.${string}`,
  isActive: boolean,
): Promise<ShownTier> {
  const { priceId } = target;
  return await changeTier(context, {
    ...target,
    action,
    resourceId: priceId,
    resource: (tier) => priceIn(tier, priceId),
    write: async (trx, tier) => {
      if (priceIn(tier, priceId) === null) throw notFound("Price");
      await claimShape(setPriceActive(trx, target, priceId, isActive));
    },
  });
}

function priceIn(tier: ShownTier, priceId: string) {
  const price = tier.prices.find(({ id }) => id === priceId);
  return price === undefined ? null : { ...price, tierId: tier.id };
}
