import { api, forMembers, type MemberContext } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { keepCap } from "../caps.ts";
import { changeCatalogue } from "../catalogue.ts";
import { readAtOneMoment } from "../one-moment.ts";
import { insertPrices } from "../prices/queries.ts";
import { refuseRepeatedShapes } from "../prices/shapes.ts";
import { announceChange } from "../serving-feed/version.ts";
import { changeTier, showTier } from "./change.ts";
import { presentTier } from "./present.ts";
import { insertTier, listTiers, type TierChanges, updateTier } from "./queries.ts";

export const tierRoutes = {
  list: forMembers(api.tiers.list, async ({ input, context: { services, access } }) => {
    const { envelope, tiers } = await readAtOneMoment(services.db, (trx) =>
      listTiers(trx, access.workspaceId, input),
    );
    return { ...envelope, items: tiers.map(({ tier, prices }) => presentTier(tier, prices)) };
  }),

  get: forMembers(api.tiers.get, async ({ input, context: { services, access } }) =>
    readAtOneMoment(services.db, (trx) => showTier(trx, access.workspaceId, input.tierId)),
  ),

  create: forMembers(api.tiers.create, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { initialPrices } = input;
    refuseRepeatedShapes(initialPrices);
    return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      await keepCap(trx, "tiers", workspaceId);
      const tierId = await insertTier(trx, workspaceId, { ...input, order: input.order });
      await insertPrices(trx, { workspaceId, tierId }, initialPrices);
      const made = await showTier(trx, workspaceId, tierId);
      await announceChange(trx, workspaceId);
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "tier.create",
        resourceId: tierId,
        after: made,
      });
      return made;
    });
  }),

  update: forMembers(api.tiers.update, async ({ input, context }) =>
    changeValues(context, input.tierId, "tier.update", input),
  ),

  archive: forMembers(api.tiers.archive, async ({ input, context }) =>
    changeValues(context, input.tierId, "tier.archive", { isActive: false }),
  ),

  unarchive: forMembers(api.tiers.unarchive, async ({ input, context }) =>
    changeValues(context, input.tierId, "tier.unarchive", { isActive: true }),
  ),
};

async function changeValues(
  context: MemberContext,
  tierId: string,
  action: `tier.${string}`,
  changes: TierChanges,
) {
  const { workspaceId } = context.access;
  return await changeTier(context, {
    tierId,
    action,
    resourceId: tierId,
    resource: (tier) => tier,
    write: (trx) => updateTier(trx, workspaceId, tierId, changes),
  });
}
