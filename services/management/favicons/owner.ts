import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { announceChange } from "../serving-feed/version.ts";

/** Whose icon it is: an ad's, or with `adId` null the workspace's own. */
export interface FaviconOwner {
  readonly workspaceId: string;
  readonly adId: string | null;
}

/** What an owner's row says of its site. */
export interface ShownFavicon {
  readonly website_url: string | null;
  readonly favicon_url: string | null;
}

/** The icon that stays while that of another address is looked for: none of another site's. */
export function keptFavicon(before: ShownFavicon, websiteUrl: string | null): string | null {
  const [was, is] = [before.website_url, websiteUrl].map((text) => URL.parse(text ?? "")?.origin);
  return was !== undefined && was === is ? before.favicon_url : null;
}

/** The site that an owner names and the icon that it shows; undefined where there is no such owner. */
export async function readOwner(db: Kysely<Tables>, owner: FaviconOwner) {
  return await selectOwner(db, owner).executeTakeFirst();
}

/** As `readOwner`, and what it says stays true until the transaction ends. */
export async function lockOwner(trx: Transaction<Tables>, owner: FaviconOwner) {
  return await selectOwner(trx, owner).forNoKeyUpdate().executeTakeFirst();
}

/** Gives an owner that the transaction has locked another icon; serving is told of an ad's. */
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
  await announceChange(trx, workspaceId);
}

function selectOwner(db: Kysely<Tables>, { workspaceId, adId }: FaviconOwner) {
  return adId === null
    ? db.selectFrom("workspaces").where("id", "=", workspaceId).select(["website_url", "favicon_url"])
    : db
        .selectFrom("ads")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", adId)
        .select(["website_url", "favicon_url"]);
}
