import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { invalidInput, notFound } from "#libs/http/index.ts";
import type { Services } from "../services.ts";
import { announceChange } from "../serving-feed/version.ts";
import { lockWorkspace } from "../workspaces/queries.ts";

/**
 * Begins to delete a workspace, in one transaction: nobody is a member any more, nothing is served or sold, its slug is
 * free. A job does the rest: it cancels subscriptions at the payment processor and removes all rows, files and counts.
 * Repeating it changes nothing. 404 for an unknown workspace, 422 at `name` where `name` is not the workspace's.
 */
export async function beginErasure(
  { db, now }: Pick<Services, "db" | "now">,
  workspaceId: string,
  name: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const workspace = await lockWorkspace(trx, workspaceId);
    if (workspace === undefined) throw notFound("Workspace");
    if (workspace.name !== name) {
      throw invalidInput({ fieldErrors: { name: ["This is not the name of the workspace."] } });
    }
    if (workspace.erasing_since !== null) return;

    const moment = new Date(now());
    await trx
      .updateTable("workspaces")
      .set({ erasing_since: moment, slug: `deleted-${workspaceId.replace(/^ws_/, "")}`, updated_at: moment })
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
    // Rejected, so that no word of the payment processor brings them back.
    await trx
      .updateTable("ads")
      .set({ status: "Rejected", serving_until: sql<Date>`least(serving_until, ${moment}::timestamptz)` })
      .where("workspace_id", "=", workspaceId)
      .execute();
    await announceChange(trx, workspaceId);
    await queueErasure(trx, workspaceId, moment);
  });
}

/** Queues the job that continues the deletion; one that is waiting already stays the only one. */
export async function queueErasure(db: Kysely<Tables>, workspaceId: string, at: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    'erase-workspace', json_build_object('workspaceId', ${workspaceId}::text),
    job_key => ${`erase-workspace:${workspaceId}`}, run_at => ${at}
  )`.execute(db);
}

/** Queues the deletions that have yet to be finished, such as those whose job has had its last attempt. */
export async function resumeErasures({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const rows = await db
    .selectFrom("workspaces")
    .where("erasing_since", "is not", null)
    .select("id")
    .orderBy("id")
    .execute();
  for (const { id } of rows) await queueErasure(db, id, new Date(now()));
}
