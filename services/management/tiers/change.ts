import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type { AuditValues, Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import type { MemberContext } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { changeCatalogue } from "../catalogue.ts";
import { announceChange } from "../serving-feed/version.ts";
import { isSoldAlike, queueOnSale } from "./on-sale.ts";
import { presentTier, type ShownTier } from "./present.ts";
import { findTier } from "./queries.ts";

export interface TierChange {
  readonly tierId: string;
  /** For the audit log: what is done, to which resource, and the part of the tier that is that resource. */
  readonly action: `${"tier" | "price"}.${string}`;
  readonly resourceId: string;
  readonly resource: (tier: ShownTier) => AuditValues | null;
  /** Makes the change, or throws what speaks against it. */
  readonly write: (trx: Transaction<Tables>, tier: ShownTier) => Promise<void>;
}

/**
 * Changes one tier or one of its prices and returns the tier as it is then. A call that leaves everything as it was is
 * neither recorded nor told to serving; the processor is told by a job. 404 when the workspace has no such tier.
 */
export async function changeTier(context: MemberContext, change: TierChange): Promise<ShownTier> {
  const { workspaceId, actor } = context.access;
  const { tierId, action, resourceId, resource } = change;
  return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
    const before = await showTier(trx, workspaceId, tierId);
    await change.write(trx, before);
    const after = await showTier(trx, workspaceId, tierId);
    if (isDeepStrictEqual(before, after)) return after;

    await announceChange(trx, workspaceId);
    if (!isSoldAlike(before, after)) await queueOnSale(trx, { workspaceId, tierId });
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

/** The tier's management view. 404 when the workspace has no such tier. */
export async function showTier(db: Kysely<Tables>, workspaceId: string, tierId: string): Promise<ShownTier> {
  const found = await findTier(db, workspaceId, tierId);
  if (found === undefined) throw notFound("Tier");
  return presentTier(found.tier, found.prices);
}
