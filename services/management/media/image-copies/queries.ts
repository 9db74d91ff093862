import { type Kysely, sql, type Transaction } from "kysely";
import type { ExternalImage } from "#libs/database/json-columns.ts";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type EnqueueOptions, enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { isPaidFor } from "../../store/paid-for.ts";
import type { Sale } from "../uploads/records.ts";
import type { CreativeContent } from "./external-images.ts";

/** Where a creative is: on an ad, or on its open revision. */
export interface CreativePlace {
  readonly kind: "ad" | "revision";
  readonly workspaceId: string;
  readonly adId: string;
}

/** An image that waits for its copy. */
export interface WaitingImage extends CreativePlace {
  readonly fieldId: string;
  readonly image: ExternalImage;
}

/** Whose images a job copies: all of a workspace, or only those of one ad and its revision. */
export type CopyScope = Pick<Payloads["copy-images"], "workspaceId" | "adId">;

/** Creatives with an image that waits for its copy, as an index has them in order of the time. */
const WAITING = sql`images_elsewhere <> '{}' and next_image_due(images_elsewhere) is not null
  order by next_image_due(images_elsewhere) limit 1`;

/**
 * The image that is due first, now or later; undefined if none waits. Reads the creatives of that image only, because images that
 * have failed for good stay where they are.
 */
export async function findNextImage(db: Kysely<Tables>, { workspaceId, adId }: CopyScope) {
  const of = (id: string) => (adId === undefined ? sql`` : sql`and ${sql.ref(id)} = ${adId}`);
  const { rows } = await sql<Omit<WaitingImage, "workspaceId">>`
    select kind, ad_id as "adId", key as "fieldId", value as image from (
      (select 'ad' as kind, id as ad_id, images_elsewhere from ads where workspace_id = ${workspaceId} ${of("id")} and ${WAITING})
      union all
      (select 'revision', ad_id, images_elsewhere from revisions where workspace_id = ${workspaceId} ${of("ad_id")} and ${WAITING})
    ) as creatives, jsonb_each(images_elsewhere)
    where value->>'dueAt' is not null
    order by value->>'dueAt', ad_id, key
    limit 1`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : { ...row, workspaceId };
}

/** How an ad was bought. */
export async function findSaleOf(
  db: Kysely<Tables>,
  { workspaceId, adId }: Required<CopyScope>,
): Promise<Sale> {
  const sale = await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .leftJoin("checkout_sessions", "checkout_sessions.subscription_id", "subscriptions.id")
    .where("ads.workspace_id", "=", workspaceId)
    .where("ads.id", "=", adId)
    .select(["subscriptions.id", "checkout_sessions.id as session_id"])
    .executeTakeFirst();
  const isFree = sale !== undefined && !(await isPaidFor(db, workspaceId, sale.id));
  return { isFree, sessionId: sale?.session_id ?? null };
}

/** The workspaces with waiting images. */
export async function listWaitingWorkspaces(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from ads where images_elsewhere <> '{}'
    union
    select workspace_id from revisions where images_elsewhere <> '{}'`.execute(db);
  return rows.map(({ workspace_id }) => workspace_id);
}

/** The content of a creative, locked until the transaction ends; undefined if it no longer exists. */
export async function lockContent(
  trx: Transaction<Tables>,
  { kind, workspaceId, adId }: CreativePlace,
): Promise<CreativeContent | undefined> {
  // Every change of a revision locks the row of its ad too.
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

/** Writes content that `lockContent` has locked. */
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
}

/**
 * Queues the copies that an ad waits for, in the transaction that writes it. An ad that somebody has paid for has a job of its own:
 * anybody can submit other ads, with slow images, which would keep it waiting for hours.
 */
export async function queueCopies(
  db: Kysely<Tables>,
  { workspaceId, adId }: Required<CopyScope>,
  { images_elsewhere }: CreativeContent,
): Promise<void> {
  if (Object.keys(images_elsewhere).length === 0) return;
  const { isFree } = await findSaleOf(db, { workspaceId, adId });
  await queueNextCopy(db, isFree ? { workspaceId } : { workspaceId, adId });
}

/** Queues the copy of the next image; see `enqueue`. */
export async function queueNextCopy(
  db: Kysely<Tables>,
  scope: CopyScope,
  options: EnqueueOptions = {},
): Promise<void> {
  await enqueue(db, "copy-images", { ...scope, owner: await ownerOf(db, scope.workspaceId) }, options);
}
