import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";

/** Events of a deleted workspace may still be in a log or spill that is unavailable; after this time none can be. */
const LATE_FOR_MS = 30 * 24 * 60 * 60_000;

const eventsJob = z.object({ workspaceId: z.string() });

/** Queues the removal of all events and counts of a deleted workspace. */
export async function queueEventErasure(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`select graphile_worker.add_job(
    'erase-events', json_build_object('workspaceId', ${workspaceId}::text),
    job_key => ${`erase-events:${workspaceId}`}
  )`.execute(db);
}

/** Removes all events and counts of a deleted workspace. Throws `StatsStoreError`; the job is then tried again. */
export async function eraseEvents({ stats }: Pick<Services, "stats">, payload: unknown): Promise<void> {
  await stats.eraseWorkspace(eventsJob.parse(payload).workspaceId);
}

/** Once a day: queues the removal of what has arrived since of workspaces deleted in the last 30 days. */
export async function eraseLateEvents({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  await db
    .deleteFrom("erased_workspaces")
    .where("erased_at", "<", new Date(now() - LATE_FOR_MS))
    .execute();
  const rows = await db.selectFrom("erased_workspaces").select("id").orderBy("id").execute();
  for (const { id } of rows) await queueEventErasure(db, id);
}
