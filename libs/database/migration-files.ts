import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Database, DatabaseLogger } from "./connection.ts";
import { DatabaseError, reasonOf } from "./errors.ts";

const OWN_MIGRATIONS = new URL("./migrations/", import.meta.url);
/** Postgres' code for a missing table. */
const UNDEFINED_TABLE = "42P01";
const NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

export interface Migration {
  /** `0001_initial.sql`; the order of names is the order of application. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Reads the numbered files of a folder, by default our own, in order. Throws on a malformed or repeated number. */
export async function readMigrations(folder: URL | string = OWN_MIGRATIONS): Promise<Migration[]> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const names = (await readdir(path)).filter((name) => name.endsWith(".sql")).sort();
  const numbers = new Set(names.map((name) => name.slice(0, 4)));
  const misnamed = names.find((name) => !NAME.test(name));
  if (misnamed !== undefined) throw refused(`The migration ${misnamed} must be named like 0001_initial.sql.`);
  if (numbers.size < names.length) throw refused("Two migrations have the same number.");
  return Promise.all(
    names.map(async (name) => {
      // A checkout on Windows may have other line endings; that is not an edit.
      const sql = (await readFile(join(path, name), "utf8")).replaceAll("\r\n", "\n");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Whether every migration of this program is applied; migrations of a newer program may follow. */
export async function isMigrated(database: Database): Promise<boolean> {
  const known = await readMigrations();
  try {
    const { rows } = await database.pool.query<{ name: string }>("select name from schema_migrations");
    const applied = new Set(rows.map(({ name }) => name));
    return known.every(({ name }) => applied.has(name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/**
 * Applies the pending migrations, each file in its own transaction. The caller holds the migration lock. With `acceptNewer`
 * those of a newer program may follow ours, as they only add.
 */
export async function applyMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  options: { readonly acceptNewer?: boolean; readonly logger?: DatabaseLogger } = {},
): Promise<void> {
  const { acceptNewer = false, logger } = options;
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<AppliedMigration>(
    "select name, checksum from schema_migrations order by name",
  );
  const known = acceptNewer ? rows.slice(0, migrations.length) : rows;
  for (const [index, applied] of known.entries()) requireSame(applied, migrations[index], migrations.at(-1));
  if (known.length < rows.length) {
    logger?.info({ newest: rows.at(-1)?.name }, "the database is newer than this program");
  }
  for (const migration of migrations.slice(rows.length)) {
    await applyMigration(client, migration);
    logger?.info({ migration: migration.name }, "migration applied");
  }
}

/** The applied migrations must be a prefix of ours, file by file. */
function requireSame(
  applied: AppliedMigration,
  here: Migration | undefined,
  last: Migration | undefined,
): void {
  if (last === undefined || applied.name > last.name) {
    throw refused(
      `The database is newer than this program: ${applied.name} was applied to it and is not known here. Start the newer version.`,
    );
  }
  if (here === undefined || applied.name < here.name) {
    throw refused(`The migration ${applied.name} was applied to the database and is missing here.`);
  }
  if (applied.name > here.name) {
    throw refused(
      `The migration ${here.name} is numbered before ${applied.name}, which is applied already; number it last.`,
    );
  }
  if (applied.checksum !== here.checksum) {
    throw refused(
      `The migration ${here.name} was edited after it had been applied. Restore it and put the change into a new file.`,
    );
  }
}

async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    const place = `${migration.name}${lineOf(error, migration.sql)}`;
    throw refused(`The migration ${place} failed and was rolled back: ${reasonOf(error)}.`, error);
  }
}

function lineOf(error: unknown, sql: string): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  return Number.isNaN(position) ? "" : `, line ${sql.slice(0, position).split("\n").length},`;
}

function refused(message: string, cause?: unknown): DatabaseError {
  return new DatabaseError("MIGRATION_REFUSED", message, { cause });
}
