import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

const TASK = "compare-snapshots";

/** Every minute the store's versions are compared with the database's: a store may have lost what it was told. */
export const COMPARISON_SCHEDULE = `* * * * * ${TASK} ?max=1`;

/** Queues a comparison for now, such as when the store is back from being away; many in a row make one. */
export async function queueComparison(db: Kysely<Tables>): Promise<void> {
  await sql`select graphile_worker.add_job(${sql.lit(TASK)}, job_key => ${sql.lit(TASK)}, max_attempts => 3)`.execute(
    db,
  );
}
