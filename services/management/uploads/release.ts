import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { removeUnusedUploads, UPLOAD_KEYS } from "./unused.ts";

/** The keys of the uploads that these ads, and their open revisions, name. */
export async function uploadsNamedBy(
  trx: Transaction<Tables>,
  workspaceId: string,
  adIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct found[1] as key
    from (
      select concat_ws(' ', meta::text, images_elsewhere::text, favicon_url, website_url) as text
      from ads where workspace_id = ${workspaceId} and id = any(${[...adIds]}::text[])
      union all
      select concat_ws(' ', meta::text, images_elsewhere::text, website_url)
      from revisions where workspace_id = ${workspaceId} and ad_id = any(${[...adIds]}::text[])
    ) named, regexp_matches(named.text, ${`(${UPLOAD_KEYS.source})`}, 'g') as found`.execute(trx);
  return rows.map(({ key }) => key);
}

/** Removes those of a workspace's uploads that nothing uses any more. What fails now is done by the daily sweep. */
export async function releaseUploads(
  services: Pick<Services, "db" | "uploads" | "logger" | "now">,
  workspaceId: string,
  keys: readonly string[],
): Promise<void> {
  const { db, logger, now } = services;
  if (keys.length === 0) return;
  await db
    .updateTable("uploads")
    .set({ due_at: new Date(now()) })
    .where("workspace_id", "=", workspaceId)
    .where("key", "=", sql<string>`any(${[...keys]}::text[])`)
    .execute();
  try {
    await removeUnusedUploads(services);
  } catch (error) {
    logger.warn({ err: error, workspaceId }, "uploads could not be removed yet");
  }
}
