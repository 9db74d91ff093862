import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { CreativeContent } from "./elsewhere.ts";

/** Queues the copies that a creative waits for, in the transaction that writes it. */
export async function queueCopies(
  db: Kysely<Tables>,
  workspaceId: string,
  { images_elsewhere }: CreativeContent,
): Promise<void> {
  if (Object.keys(images_elsewhere).length > 0) await queueCopying(db, workspaceId, 0, "replace");
}

/**
 * Queues a workspace's next copy. A workspace has one at a time and then stands in line again, so that no workspace, be its
 * hosts ever so slow, delays the others by more than one image. With `preserve_run_at` one that is queued stays as it is.
 */
export async function queueCopying(
  db: Kysely<Tables>,
  workspaceId: string,
  afterMs: number,
  mode: "replace" | "preserve_run_at",
): Promise<void> {
  const name = `copy-images:${workspaceId}`;
  await sql`select graphile_worker.add_job(
    'copy-images', ${JSON.stringify({ workspaceId })}::json, queue_name => ${name}, job_key => ${name},
    job_key_mode => ${mode}, run_at => now() + make_interval(secs => ${Math.max(0, afterMs) / 1000}::float8)
  )`.execute(db);
}
