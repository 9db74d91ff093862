import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { bumpIfShown } from "../../snapshots/publish.ts";

/** The ad with the icon, or with `adId` null the workspace. */
interface FaviconOwner {
  readonly workspaceId: string;
  readonly adId: string | null;
}

/** Sets the icon of an owner that the transaction has locked; for an ad that serving knows, serving gets a new snapshot. */
export async function writeFavicon(
  trx: Transaction<Tables>,
  { workspaceId, adId }: FaviconOwner,
  faviconUrl: string | null,
  now: Date,
): Promise<void> {
  const values = { favicon_url: faviconUrl, updated_at: now };
  if (adId === null) {
    await trx.updateTable("workspaces").set(values).where("id", "=", workspaceId).execute();
    return;
  }
  await trx
    .updateTable("ads")
    .set(values)
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .execute();
  await bumpIfShown(trx, { workspaceId, adId });
}

/** An owner's site and icon. */
export function selectOwner(db: Kysely<Tables>, { workspaceId, adId }: FaviconOwner) {
  return adId === null
    ? db.selectFrom("workspaces").where("id", "=", workspaceId).select(["website_url", "favicon_url"])
    : db
        .selectFrom("ads")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", adId)
        .select(["website_url", "favicon_url"]);
}
