import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ImageElsewhere } from "#libs/database/tables-creative.ts";
import { announceChange } from "../serving-feed/version.ts";
import type { CreativeContent } from "./elsewhere.ts";

/** Whose creative it is: an ad's own, or that of its open revision. */
export interface CreativePlace {
  readonly kind: "ad" | "revision";
  readonly workspaceId: string;
  readonly adId: string;
}

/** An image that is to be copied. */
export interface WaitingImage extends CreativePlace {
  readonly fieldId: string;
  readonly image: ImageElsewhere;
}

/** The image of the workspace that is due first, be it only later; undefined where none waits. */
export async function findNextImage(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<WaitingImage | undefined> {
  const { rows } = await sql<Omit<WaitingImage, "workspaceId">>`
    select kind, ad_id as "adId", field_id as "fieldId", image from (
      select 'ad' as kind, id as ad_id, waiting.key as field_id, waiting.value as image
      from ads, jsonb_each(images_elsewhere) as waiting
      where workspace_id = ${workspaceId} and images_elsewhere <> '{}'
      union all
      select 'revision', ad_id, waiting.key, waiting.value
      from revisions, jsonb_each(images_elsewhere) as waiting
      where workspace_id = ${workspaceId} and images_elsewhere <> '{}'
    ) as images
    where image->>'dueAt' is not null
    order by image->>'dueAt', ad_id, field_id
    limit 1`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : { ...row, workspaceId };
}

/** The workspaces in which images wait. */
export async function listWaitingWorkspaces(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from ads where images_elsewhere <> '{}'
    union
    select workspace_id from revisions where images_elsewhere <> '{}'`.execute(db);
  return rows.map(({ workspace_id }) => workspace_id);
}

/** What a creative holds, and it stays so until the transaction ends; undefined where it is gone. */
export async function lockContent(
  trx: Transaction<Tables>,
  { kind, workspaceId, adId }: CreativePlace,
): Promise<CreativeContent | undefined> {
  // The ad's row is what every change of its revision holds as well.
  const ad = await trx
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .select(["meta", "images_elsewhere"])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (kind === "ad" || ad === undefined) return ad;
  return await trx
    .selectFrom("revisions")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .select(["meta", "images_elsewhere"])
    .executeTakeFirst();
}

/** Writes what `lockContent` has locked; serving is told of an ad's. */
export async function writeContent(
  trx: Transaction<Tables>,
  { kind, workspaceId, adId }: CreativePlace,
  content: CreativeContent,
  now: Date,
): Promise<void> {
  const values = {
    meta: JSON.stringify(content.meta),
    images_elsewhere: JSON.stringify(content.images_elsewhere),
  };
  if (kind === "revision") {
    await trx
      .updateTable("revisions")
      .set(values)
      .where("workspace_id", "=", workspaceId)
      .where("ad_id", "=", adId)
      .execute();
    return;
  }
  await trx
    .updateTable("ads")
    .set({ ...values, updated_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .execute();
  await announceChange(trx, workspaceId);
}
