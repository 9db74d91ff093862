import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Correction } from "#libs/domain/correction.ts";
import { isId, newId } from "#libs/domain/ids.ts";

export type CorrectionRow = Selectable<Tables["corrections"]>;

/** One answer has no more. */
const MOST_LISTED = 500;

/** The corrections of an ad, the newest first: those that apply, which are few, then proposals, then what was dismissed. */
export async function listCorrections(
  db: Kysely<Tables>,
  workspaceId: string,
  adId: string,
): Promise<CorrectionRow[]> {
  return await db
    .selectFrom("corrections")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .selectAll()
    .orderBy(sql`array_position(array['Applied', 'Proposed'], status::text)`)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** The corrections of an ad that apply, the newest first. */
export async function appliedCorrectionsOf(
  db: Kysely<Tables>,
  workspaceId: string,
  adId: string,
): Promise<(Omit<Correction, "adId"> & { readonly reason: string })[]> {
  return await db
    .selectFrom("corrections")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .where("status", "=", "Applied")
    .select(["first_day as from", "last_day as to", "reason"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** The correction of an ad, locked; undefined if there is none. */
export async function lockCorrection(
  trx: Transaction<Tables>,
  workspaceId: string,
  adId: string,
  id: string,
): Promise<CorrectionRow | undefined> {
  if (!isId("ad", adId) || !isId("correction", id)) return undefined;
  return await trx
    .selectFrom("corrections")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", adId)
    .where("id", "=", id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a correction that applies. */
export async function insertCorrection(
  trx: Transaction<Tables>,
  workspaceId: string,
  { adId, from, to }: Correction,
  reason: string,
): Promise<CorrectionRow> {
  return await trx
    .insertInto("corrections")
    .values({
      id: newId("correction"),
      workspace_id: workspaceId,
      ad_id: adId,
      first_day: from,
      last_day: to,
      reason,
      status: "Applied",
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function setStatus(
  trx: Transaction<Tables>,
  { workspace_id: workspaceId, id }: CorrectionRow,
  status: CorrectionRow["status"],
): Promise<void> {
  await trx
    .updateTable("corrections")
    .set({ status })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .execute();
}

export async function deleteCorrection(
  trx: Transaction<Tables>,
  { workspace_id: workspaceId, id }: CorrectionRow,
): Promise<void> {
  await trx.deleteFrom("corrections").where("workspace_id", "=", workspaceId).where("id", "=", id).execute();
}

/** Proposes to correct a day of an ad, once; false where the ad is gone, or the day was proposed before. */
export async function propose(
  db: Kysely<Tables>,
  { workspaceId, adId, day }: { readonly workspaceId: string; readonly adId: string; readonly day: string },
  reason: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("corrections")
    .columns(["id", "workspace_id", "ad_id", "first_day", "last_day", "reason", "status", "is_proposal"])
    .expression((from) =>
      from
        .selectFrom("ads")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", adId)
        .select([
          sql<string>`${newId("correction")}`.as("id"),
          "workspace_id",
          "ads.id as ad_id",
          sql<string>`${day}`.as("first_day"),
          sql<string>`${day}`.as("last_day"),
          sql<string>`${reason}`.as("reason"),
          sql<CorrectionRow["status"]>`'Proposed'`.as("status"),
          sql<boolean>`true`.as("is_proposal"),
        ]),
    )
    .onConflict((conflict) =>
      conflict.columns(["ad_id", "first_day"]).where("is_proposal", "=", true).doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
