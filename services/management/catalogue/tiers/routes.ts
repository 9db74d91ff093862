import { api, forMembers, type MemberContext } from "../../api/api.ts";
import { inPageTurn } from "../../api/turns.ts";
import { recordChange } from "../../audit/record.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { readConsistently } from "../../store/consistent-read.ts";
import { enforceQuota } from "../../store/quotas.ts";
import { changeCatalogue } from "../../store/workspace-lock.ts";
import { changeTier, type TierAction } from "./change.ts";
import { insertPrices, refuseRepeatedShapes } from "./prices.ts";
import { insertTier, listTiers, showTier, type TierChanges, updateTier } from "./queries.ts";
import { requireRoomOnSale } from "./sale-size.ts";

export const tierRoutes = {
  list: forMembers(api.tiers.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const { envelope, items } = await inPageTurn(db, workspaceId, reply.raw, () =>
      readConsistently(db, (trx) => listTiers(trx, workspaceId, input)),
    );
    return { ...envelope, items };
  }),

  get: forMembers(api.tiers.get, async ({ input, context: { db, access } }) =>
    readConsistently(db, (trx) => showTier(trx, access.workspaceId, input.tierId)),
  ),

  create: forMembers(api.tiers.create, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { initialPrices } = input;
    refuseRepeatedShapes(initialPrices);
    return await changeCatalogue(context.db, workspaceId, async (trx) => {
      await enforceQuota(trx, "tiers", workspaceId);
      await enforceQuota(trx, "pricesInAll", workspaceId);
      const tierId = await insertTier(trx, workspaceId, input);
      await insertPrices(trx, { workspaceId, tierId }, initialPrices);
      const made = await showTier(trx, workspaceId, tierId);
      await requireRoomOnSale(trx, workspaceId, null, made);
      await bumpSnapshotVersion(trx, workspaceId);
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
  action: TierAction,
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
