import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

const ROWS_IN_A_STEP = 5_000;
/** Per run; the next run removes the rest. */
const MOST_STEPS = 1_000;

/** Removes the rows that meet a condition, a few thousand per statement, so that no statement takes long. */
export async function removeInSteps(
  db: Kysely<Tables>,
  table: keyof Tables,
  condition: RawBuilder<boolean>,
): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(ROWS_IN_A_STEP)}
      ))`.execute(db);
    if (numAffectedRows < ROWS_IN_A_STEP) return;
  }
}
