import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** Reads the parts of one answer from one snapshot of the database, so that a list's total and its items agree. */
export async function readConsistently<T>(
  db: Kysely<Tables>,
  read: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}
