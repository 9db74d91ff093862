import type { Database } from "./connection.ts";
import { readMigrations } from "./migration-files.ts";

/** Postgres' code for a table that is not there. */
const UNDEFINED_TABLE = "42P01";

/**
 * Whether every migration that this program knows is applied; later ones, of a newer program, do no harm to one that only
 * reads. Rejects when the database cannot be asked.
 */
export async function isMigrated(database: Database): Promise<boolean> {
  const known = await readMigrations(new URL("./migrations/", import.meta.url));
  try {
    const { rows } = await database.pool.query<{ name: string }>("select name from schema_migrations");
    const applied = new Set(rows.map(({ name }) => name));
    return known.every(({ name }) => applied.has(name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) return false;
    throw error;
  }
}
