import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Tables, WorkspacesTable } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { announceChange } from "../serving-feed/version.ts";

/**
 * Begins to delete a workspace that the transaction has locked: removes its members, stops serving and selling, and frees its
 * slug. A job does the rest: it cancels subscriptions at the payment processor and removes all rows, files and counts.
 * Idempotent.
 */
export async function beginErasure(
  trx: Transaction<Tables>,
  { id: workspaceId, erasing_since }: Pick<Selectable<WorkspacesTable>, "id" | "erasing_since">,
  now: Date,
): Promise<void> {
  if (erasing_since !== null) return;
  await trx
    .updateTable("workspaces")
    .set({ erasing_since: now, slug: `deleted-${workspaceId.replace(/^ws_/, "")}`, updated_at: now })
    .where("id", "=", workspaceId)
    .execute();
  // API keys go with their makers' memberships.
  for (const table of ["members", "invitations"] as const) {
    await trx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
  for (const table of ["prices", "tiers"] as const) {
    await trx
      .updateTable(table)
      .set({ is_active: false })
      .where("workspace_id", "=", workspaceId)
      .where("is_active", "=", true)
      .execute();
  }
  // Rejected, so that no webhook of the payment processor makes them serve again.
  await trx
    .updateTable("ads")
    .set({ status: "Rejected", serving_until: sql<Date>`least(serving_until, ${now}::timestamptz)` })
    .where("workspace_id", "=", workspaceId)
    .execute();
  await announceChange(trx, workspaceId);
  await queueErasure(trx, workspaceId, now);
}

/** Queues the job that continues the deletion, unless it is queued already. */
export async function queueErasure(db: Kysely<Tables>, workspaceId: string, at: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    'erase-workspace', json_build_object('workspaceId', ${workspaceId}::text),
    job_key => ${`erase-workspace:${workspaceId}`}, run_at => ${at}
  )`.execute(db);
}

/** Queues the unfinished deletions again, such as those whose job has used up its attempts. */
export async function resumeErasures({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const rows = await db
    .selectFrom("workspaces")
    .where("erasing_since", "is not", null)
    .select("id")
    .orderBy("id")
    .execute();
  for (const { id } of rows) await queueErasure(db, id, new Date(now()));
}
