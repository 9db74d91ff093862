import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { Actor } from "../access/actor.ts";
import { type Change, recordChange } from "../audit/record.ts";
import { listFieldIds } from "../fields/queries.ts";
import type { Services } from "../services.ts";
import { settleServing } from "../serving-feed/span.ts";
import { auditedAd } from "./facts.ts";
import { presentAd } from "./present.ts";
import { type AdRow, findAd, lockAd } from "./queries.ts";

/** Which ad is to be changed, and what the audit log calls that. */
export interface AdChange {
  readonly action: Change["action"];
  readonly workspaceId: string;
  readonly adId: string;
}

/**
 * Changes one ad: locks it, refuses with 409 where `refusal` gives a reason, runs `change`, brings serving in line,
 * records who did it and returns the ad's management view. Of two racing changes the second is judged by what the first
 * left.
 */
export async function changeAd(
  services: Services,
  actor: Actor,
  { action, workspaceId, adId }: AdChange,
  refusal: (ad: AdRow) => string | null,
  change: (trx: Transaction<Tables>, ad: AdRow) => Promise<void>,
) {
  return await services.db.transaction().execute(async (trx) => {
    const ad = await lockAd(trx, workspaceId, adId);
    if (ad === undefined) throw notFound("Ad");
    const reason = refusal(ad);
    if (reason !== null) throw conflict({ formErrors: [reason] });

    await change(trx, ad);
    return await finishChange(trx, services, actor, { action, workspaceId, adId }, ad);
  });
}

/** What every change of an ad ends with: serving in line, a record of who did it, the ad's management view. */
export async function finishChange(
  trx: Transaction<Tables>,
  services: Services,
  actor: Actor,
  { action, workspaceId, adId }: AdChange,
  before: AdRow,
) {
  await settleServing(trx, adId, services.now());
  const changed = await findAd(trx, workspaceId, adId);
  if (changed === undefined) throw notFound("Ad");
  await recordChange(trx, actor, {
    workspaceId,
    action,
    resourceId: adId,
    before: auditedAd(before),
    after: auditedAd(changed),
  });
  return presentAd(changed, await listFieldIds(trx, workspaceId));
}
