import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { listFieldIds } from "../fields/queries.ts";
import type { Services } from "../services.ts";
import { settleServing } from "../serving-feed/span.ts";
import { presentAd } from "./present.ts";
import { type AdRow, findAd, lockAd } from "./queries.ts";

/**
 * Changes one ad: locks it, refuses with 409 where `refusal` gives a reason, runs `change`, brings serving in line and
 * returns the ad's management view. Of two racing changes the second is judged by what the first left.
 */
export async function changeAd(
  services: Services,
  target: { readonly workspaceId: string; readonly adId: string },
  refusal: (ad: AdRow) => string | null,
  change: (trx: Transaction<Tables>, ad: AdRow) => Promise<void>,
) {
  return await services.db.transaction().execute(async (trx) => {
    const ad = await lockAd(trx, target.workspaceId, target.adId);
    if (ad === undefined) throw notFound("Ad");
    const reason = refusal(ad);
    if (reason !== null) throw conflict({ formErrors: [reason] });

    await change(trx, ad);
    await settleServing(trx, ad.id, services.now());

    const changed = await findAd(trx, target.workspaceId, target.adId);
    if (changed === undefined) throw notFound("Ad");
    return presentAd(changed, await listFieldIds(trx, target.workspaceId));
  });
}
