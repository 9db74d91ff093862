import { readdir, readFile } from "node:fs/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { refuseOtherCluster, refuseOtherEngines } from "./existing-tables.ts";
import {
  DURABILITY,
  deduplicationSettings,
  onCluster,
  renderSchema,
  renderSettings,
  type SchemaOptions,
  type TableSettings,
} from "./render-schema.ts";
import { COUNTING_TABLES, EXPIRING_TABLES } from "./tables.ts";

const SCHEMA = new URL("schema/", import.meta.url);
const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations{{onCluster}}
  (version UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
  ENGINE = {{engine:ReplacingMergeTree}} ORDER BY version SETTINGS {{durability}}`;

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statement: string;
}

/** The statements of `schema/` in their order, as they are sent to the server. */
export async function readMigrations(options: SchemaOptions): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(SCHEMA)).sort()) {
    const [, version, name] = FILE.exec(file) ?? [];
    if (version === undefined || name === undefined)
      throw new Error(`schema/${file} is not named 0001_name.sql`);
    const text = await readFile(new URL(file, SCHEMA), "utf8");
    migrations.push({ version: Number(version), name, statement: renderSchema(text, options) });
  }
  return migrations;
}

/** Creates the database if it is missing. `server` is a client without a selected database. */
export async function makeDatabase(
  server: ClickHouseClient,
  database: string,
  options: SchemaOptions,
): Promise<void> {
  await refuseOtherCluster(server, options.cluster);
  // A statement on a cluster waits for every server, which a start with nothing to do should not.
  if (await has(server, "SELECT 1 FROM system.databases WHERE name = {database:String}", { database }))
    return;
  await server.command({
    query: `CREATE DATABASE IF NOT EXISTS {database:Identifier}${onCluster(options)}`,
    query_params: { database },
  });
}

/**
 * Brings the connected database up to the newest `schema/*.sql`. ClickHouse has no transaction around DDL, so every
 * statement is one that may run twice (`IF NOT EXISTS`), and processes that start together may all run it.
 */
export async function migrateSchema(client: ClickHouseClient, options: SchemaOptions): Promise<void> {
  await refuseOtherEngines(client, options.replicated);
  if (!(await hasTable(client, "schema_migrations"))) {
    // Not replicated without a cluster: another server that shares Keeper has to create its own tables.
    const shared = { ...options, replicated: options.cluster !== null };
    await client.command({ query: renderSchema(MIGRATIONS_TABLE, shared) });
  }
  const applied = await appliedVersions(client);
  for (const { version, name, statement } of await readMigrations(options)) {
    if (applied.has(version)) continue;
    await client.command({ query: statement });
    await client.insert({
      table: "schema_migrations",
      columns: ["version", "name"],
      values: [[version, name]],
      format: "JSONCompactEachRow",
      clickhouse_settings: { async_insert: 0 },
    });
  }
  for (const { table, day, setting } of EXPIRING_TABLES)
    await applyRetention(client, table, `${day} + toIntervalDay(${options[setting]})`);
  const counting = { ...deduplicationSettings(options), ...DURABILITY };
  for (const table of COUNTING_TABLES) await applySettings(client, table, counting, options);
  await applySettings(client, "schema_migrations", DURABILITY, options);
}

/** Whether every migration is applied to the connected database. Rejects as the client does where that is missing. */
export async function isSchemaCurrent(client: ClickHouseClient, options: SchemaOptions): Promise<boolean> {
  if (!(await hasTable(client, "schema_migrations"))) return false;
  const applied = await appliedVersions(client);
  return (await readMigrations(options)).every(({ version }) => applied.has(version));
}

async function appliedVersions(client: ClickHouseClient): Promise<Set<number>> {
  const result = await client.query({
    query: "SELECT DISTINCT version FROM schema_migrations",
    format: "JSONEachRow",
  });
  const rows = await result.json<{ version: number }>();
  return new Set(rows.map((row) => row.version));
}

/** The setting may have changed since the table was made; only the metadata is touched, merges do the rest. */
async function applyRetention(client: ClickHouseClient, table: string, ttl: string): Promise<void> {
  if (await isMadeWith(client, table, `TTL ${ttl} `)) return;
  await client.command({
    query: `ALTER TABLE ${table} MODIFY TTL ${ttl}`,
    clickhouse_settings: { materialize_ttl_after_modify: 0 },
  });
}

/**
 * Gives a table that was made earlier, or with another window, today's settings. Unlike all else of a Replicated table they
 * are each server's own.
 */
async function applySettings(
  client: ClickHouseClient,
  table: string,
  wanted: TableSettings,
  options: SchemaOptions,
): Promise<void> {
  const present = await settingsOf(client, table);
  if (Object.entries(wanted).every(([name, value]) => present.get(name) === String(value))) return;
  await client.command({
    query: `ALTER TABLE ${table}${onCluster(options)} MODIFY SETTING ${renderSettings(wanted)}`,
  });
}

async function settingsOf(client: ClickHouseClient, table: string): Promise<Map<string, string>> {
  const result = await client.query({
    query:
      "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
    query_params: { table },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ made: string }>();
  const settings = row?.made.split(" SETTINGS ").at(-1) ?? "";
  return new Map(
    Array.from(settings.matchAll(/\b(\w+) = (\d+)/g), ([, name = "", value = ""]) => [name, value]),
  );
}

async function isMadeWith(client: ClickHouseClient, table: string, clause: string): Promise<boolean> {
  return has(
    client,
    `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {table:String}
      AND position(create_table_query, {clause:String}) > 0`,
    { table, clause },
  );
}

async function hasTable(client: ClickHouseClient, table: string): Promise<boolean> {
  return isMadeWith(client, table, "");
}

async function has(
  client: ClickHouseClient,
  query: string,
  params: Record<string, string>,
): Promise<boolean> {
  const result = await client.query({ query, query_params: params, format: "JSONEachRow" });
  return (await result.json()).length > 0;
}
