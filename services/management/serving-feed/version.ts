import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/**
 * Tells serving that something it shows has changed: bumps the workspace's version and queues the snapshot job, both
 * in the change's own transaction, so that neither can happen without the other. Many changes in a row make one job.
 */
export async function announceChange(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  await trx
    .updateTable("workspaces")
    .set((set) => ({ version: set("version", "+", 1) }))
    .where("id", "=", workspaceId)
    .execute();
  await sql`select graphile_worker.add_job(
    'snapshot', json_build_object('workspaceId', ${workspaceId}::text), job_key => ${`snapshot:${workspaceId}`}
  )`.execute(trx);
}
