import { actorOf, api } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { keepCap } from "../caps.ts";
import { changeCatalogue } from "../catalogue.ts";
import { readAtOneMoment } from "../one-moment.ts";
import { insertPrices } from "../prices/queries.ts";
import { refuseRepeatedShapes } from "../prices/shapes.ts";
import type { RequestContext } from "../services.ts";
import { announceChange } from "../serving-feed/version.ts";
import { changeTier, showTier } from "./change.ts";
import { presentTier } from "./present.ts";
import { insertTier, listTiers, type TierChanges, updateTier } from "./queries.ts";

export const tierRoutes = {
  list: api.tiers.list.handler(async ({ input, context: { services } }) => {
    const { envelope, tiers } = await readAtOneMoment(services.db, (trx) =>
      listTiers(trx, input.workspaceId, input),
    );
    return { ...envelope, items: tiers.map(({ tier, prices }) => presentTier(tier, prices)) };
  }),

  get: api.tiers.get.handler(async ({ input, context: { services } }) =>
    readAtOneMoment(services.db, (trx) => showTier(trx, input.workspaceId, input.tierId)),
  ),

  create: api.tiers.create.handler(async ({ input, context }) => {
    const { workspaceId, initialPrices } = input;
    refuseRepeatedShapes(initialPrices);
    return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      await keepCap(trx, "tiers", workspaceId);
      const tierId = await insertTier(trx, workspaceId, { ...input, order: input.order });
      await insertPrices(trx, { workspaceId, tierId }, initialPrices);
      const made = await showTier(trx, workspaceId, tierId);
      await announceChange(trx, workspaceId);
      await recordChange(trx, actorOf(context), {
        workspaceId,
        action: "tier.create",
        resourceId: tierId,
        after: made,
      });
      return made;
    });
  }),

  update: api.tiers.update.handler(async ({ input, context }) =>
    changeValues(context, input, "tier.update", input),
  ),

  archive: api.tiers.archive.handler(async ({ input, context }) =>
    changeValues(context, input, "tier.archive", { isActive: false }),
  ),

  unarchive: api.tiers.unarchive.handler(async ({ input, context }) =>
    changeValues(context, input, "tier.unarchive", { isActive: true }),
  ),
};

async function changeValues(
  context: RequestContext,
  { workspaceId, tierId }: { readonly workspaceId: string; readonly tierId: string },
  action: `tier.${string}`,
  changes: TierChanges,
) {
  return await changeTier(context, {
    workspaceId,
    tierId,
    action,
    resourceId: tierId,
    resource: (tier) => tier,
    write: (trx) => updateTier(trx, workspaceId, tierId, changes),
  });
}
