import { newId } from "#libs/domain/ids.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers, type MemberContext } from "../api.ts";
import { keepCapOfPrices } from "../caps.ts";
import { changeTier } from "../tiers/change.ts";
import type { ShownTier } from "../tiers/present.ts";
import { insertPrices, setPriceActive } from "./queries.ts";
import { claimShape } from "./shapes.ts";

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
        await keepCapOfPrices(trx, { workspaceId, tierId });
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
  action: `price.${string}`,
  isActive: boolean,
): Promise<ShownTier> {
  const { workspaceId } = context.access;
  return await changeTier(context, {
    tierId,
    action,
    resourceId: priceId,
    resource: (tier) => priceIn(tier, priceId),
    write: async (trx, tier) => {
      if (priceIn(tier, priceId) === null) throw notFound("Price");
      await claimShape(setPriceActive(trx, { workspaceId, tierId }, priceId, isActive));
    },
  });
}

function priceIn(tier: ShownTier, priceId: string) {
  const price = tier.prices.find(({ id }) => id === priceId);
  return price === undefined ? null : { ...price, tierId: tier.id };
}
