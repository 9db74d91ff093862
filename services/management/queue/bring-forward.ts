import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { LOWEST_PRIORITY } from "./enqueue.ts";

/**
 * Brings forward the jobs that have been due for as many minutes as jobs of the same party were before them (`fairTo`): however much of
 * others keeps coming, each has its turn. Not those of a party that has a thousand. graphile-worker has no call for it.
 */
export async function bringForward(db: Kysely<Tables>): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set priority = 0
    where priority > 0 and priority < ${sql.lit(LOWEST_PRIORITY)} and locked_at is null and attempts < max_attempts
      and run_at <= now() - make_interval(mins => priority)
  `.execute(db);
}
