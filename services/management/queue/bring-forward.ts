import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { LOWEST_PRIORITY } from "./enqueue.ts";

/**
 * Moves each job to the front that has been due for as many minutes as its priority says, so that every job runs at last, however many
 * others arrive. Leaves out a party's thousandth job and those after it. Writes a private table of graphile-worker, which has no call for
 * this.
 */
export async function bringForward(db: Kysely<Tables>): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set priority = 0
    where priority > 0 and priority < ${sql.lit(LOWEST_PRIORITY)} and locked_at is null and attempts < max_attempts
      and run_at <= now() - make_interval(mins => priority)
  `.execute(db);
}
