import type { Kysely, Selectable, Transaction } from "kysely";
import type { NotedSubmission } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import type { CreativeContent } from "../../media/image-copies/external-images.ts";

export type RevisionRow = Selectable<Tables["revisions"]>;

const NEWEST: Order = {
  name: "revisions:newest",
  keys: [orderKey("revisions.submitted_at", "time", "desc"), orderKey("revisions.ad_id", "text", "desc")],
};

/** One page of a workspace's open revisions, newest submission first. */
export async function listRevisions(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  return await readPageOf(
    db,
    request,
    NEWEST,
    (at) => at.selectFrom("revisions").where("workspace_id", "=", workspaceId),
    (found, columns) => found.selectAll().select(columns),
  );
}

/** The open revision of an ad, or undefined. */
export async function findRevision(db: Kysely<Tables>, workspaceId: string, adId: string) {
  if (!isId("ad", adId)) return undefined;
  return await db
    .selectFrom("revisions")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .selectAll()
    .executeTakeFirst();
}

/** Opens a revision, which replaces an open one and its note. The ad has to be locked. */
export async function putRevision(
  trx: Transaction<Tables>,
  revision: Omit<RevisionRow, "note" | "previous" | keyof CreativeContent> &
    CreativeContent & { readonly previous: NotedSubmission | null },
): Promise<void> {
  const { ad_id, workspace_id, ...proposed } = revision;
  const values = {
    ...proposed,
    meta: JSON.stringify(revision.meta),
    images_elsewhere: JSON.stringify(revision.images_elsewhere),
    previous: revision.previous === null ? null : JSON.stringify(revision.previous),
    note: null,
  };
  await trx
    .insertInto("revisions")
    .values({ ad_id, workspace_id, ...values })
    .onConflict((conflict) => conflict.column("ad_id").doUpdateSet(values))
    .execute();
}

/** Writes the changes that the publisher requests. The ad has to be locked. */
export async function noteRevision(
  trx: Transaction<Tables>,
  workspaceId: string,
  adId: string,
  note: string,
) {
  return await trx
    .updateTable("revisions")
    .set({ note, previous: null })
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes the open revision and returns it; undefined without one. The ad has to be locked. */
export async function takeRevision(trx: Transaction<Tables>, workspaceId: string, adId: string) {
  return await trx
    .deleteFrom("revisions")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .returningAll()
    .executeTakeFirst();
}
