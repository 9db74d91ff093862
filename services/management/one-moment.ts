import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** Reads the parts of one answer as of one moment, so that a list's total and its items agree whatever is inserted. */
export async function readAtOneMoment<T>(
  db: Kysely<Tables>,
  read: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}
