import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "kysely";
import type { AuditValues } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { AuditAction } from "#libs/domain/audit.ts";
import type { MemberContext } from "../../api/api.ts";
import { requireMatch } from "../../api/preconditions.ts";
import { recordChange } from "../../audit/record.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { withinApprovedBytes } from "../../snapshots/approved-bytes.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { changeCatalogue } from "../../store/workspace-lock.ts";
import { isSoldAlike, queueOnSale } from "./on-sale.ts";
import { type ShownTier, showTier } from "./queries.ts";
import { requireRoomOnSale } from "./sale-size.ts";

export type TierAction = Extract<AuditAction, `${"tier" | "price"}.${string}`>;

interface TierChange {
  readonly tierId: string;
  /** For the audit log: the action, its resource, and how the resource is read from the tier. */
  readonly action: TierAction;
  readonly resourceId: string;
  readonly resource: (tier: ShownTier) => AuditValues | null;
  /** Makes the change, or throws the reason why it cannot be made. */
  readonly write: (trx: Transaction<Tables>, tier: ShownTier) => Promise<void>;
}

/**
 * Changes a tier or one of its prices and returns the tier. Jobs send the change to the processor and end open checkouts of
 * what was archived. A call that changes nothing is not recorded. Throws 404 for an unknown tier.
 */
export async function changeTier(context: MemberContext, change: TierChange): Promise<ShownTier> {
  const { workspaceId, actor } = context.access;
  const { tierId, action, resourceId, resource } = change;
  return await changeCatalogue(context.db, workspaceId, async (trx) => {
    const before = await showTier(trx, workspaceId, tierId);
    await requireMatch(context.reply.request, () => before);
    await withinApprovedBytes(trx, workspaceId, "tier", () => change.write(trx, before));
    const after = await showTier(trx, workspaceId, tierId);
    if (isDeepStrictEqual(before, after)) return after;
    await requireRoomOnSale(trx, workspaceId, before, after);

    await bumpSnapshotVersion(trx, workspaceId);
    if (!isSoldAlike(before, after)) {
      await queueOnSale(trx, { workspaceId, tierId });
      await enqueue(trx, "close-checkouts", { workspaceId });
    }
    await recordChange(trx, actor, {
      workspaceId,
      action,
      resourceId,
      before: resource(before),
      after: resource(after),
    });
    return after;
  });
}
