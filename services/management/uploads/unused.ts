import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { UNUSED_FOR_MS } from "./quota.ts";

/** Uploads that are looked at in one transaction, which holds them while their files are removed. */
const BATCH = 50;
/** In one run; those that are left over are first tomorrow. */
const MOST_BATCHES = 200;

/** How the key of an upload stands in an address, whatever the address begins with. */
export const UPLOAD_KEYS = /ws_[0-9a-z]{26}\/[0-9a-f]{32}\.[a-z]{3,4}/g;

/**
 * Removes uploads that nothing has used for a day: no ad, revision, field or workspace names them, be it as an image, a
 * favicon or in a text. A submission that is about to use one holds it, and is left alone (`records.ts`). Should this
 * break off, a file may be gone while its record is there: the next run repeats it.
 */
export async function removeUnusedUploads(
  services: Pick<Services, "db" | "uploads" | "logger" | "now">,
): Promise<void> {
  let removed = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const done = await services.db.transaction().execute((trx) => lookAtBatch(trx, services));
    removed += done.removed;
    if (done.looked < BATCH) break;
    if (batch === MOST_BATCHES - 1) services.logger.warn("not all uploads were looked at for being used");
  }
  if (removed > 0) services.logger.info({ uploads: removed }, "removed uploads that nothing used");
}

async function lookAtBatch(
  trx: Transaction<Tables>,
  { uploads, now }: Pick<Services, "uploads" | "now">,
): Promise<{ looked: number; removed: number }> {
  const moment = now();
  const due = await trx
    .selectFrom("uploads")
    .where("due_at", "<=", new Date(moment))
    .select(["key", "workspace_id"])
    .orderBy("due_at")
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return { looked: 0, removed: 0 };

  const used = await findUsed(trx, [...new Set(due.map(({ workspace_id }) => workspace_id))]);
  const unused = due.flatMap(({ key }) => (used.has(key) ? [] : [key]));
  await uploads.remove(unused);
  if (unused.length > 0) await trx.deleteFrom("uploads").where("key", "in", unused).execute();
  if (unused.length < due.length) {
    await trx
      .updateTable("uploads")
      .set({ due_at: new Date(moment + UNUSED_FOR_MS) })
      .where(
        "key",
        "in",
        due.flatMap(({ key }) => (used.has(key) ? [key] : [])),
      )
      .execute();
  }
  return { looked: due.length, removed: unused.length };
}

/** Every key that the workspaces' rows name, at one moment: a creative that moves from revision to ad is in one of them. */
async function findUsed(
  trx: Transaction<Tables>,
  workspaceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct found[1] as key
    from (
      select concat_ws(' ', meta::text, images_elsewhere::text, favicon_url, website_url) as text from ads where workspace_id = any(${workspaceIds})
      union all
      select concat_ws(' ', meta::text, images_elsewhere::text, website_url) from revisions where workspace_id = any(${workspaceIds})
      union all
      select concat_ws(' ', "default", placeholder, description) from fields where workspace_id = any(${workspaceIds})
      union all
      select concat_ws(' ', favicon_url, website_url) from workspaces where id = any(${workspaceIds})
    ) named, regexp_matches(named.text, ${`(${UPLOAD_KEYS.source})`}, 'g') as found`.execute(trx);
  return new Set(rows.map(({ key }) => key));
}
