import { readdir, readFile } from "node:fs/promises";
import type { ClickHouseClient } from "@clickhouse/client";

const SCHEMA = new URL("schema/", import.meta.url);
const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** What the schema leaves open. */
export interface SchemaOptions {
  /** Raw events are dropped this many days after they occurred, a month at a time; `daily` is kept for ever. */
  readonly eventRetentionDays: number;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statement: string;
}

async function readMigrations(options: SchemaOptions): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(SCHEMA)).sort()) {
    const [, version, name] = FILE.exec(file) ?? [];
    if (version === undefined || name === undefined)
      throw new Error(`schema/${file} is not named 0001_name.sql`);
    const text = await readFile(new URL(file, SCHEMA), "utf8");
    migrations.push({ version: Number(version), name, statement: fillIn(text, options) });
  }
  return migrations;
}

/** `{{engine:X}}` is the one place that a Replicated setting would have to change. */
function fillIn(statement: string, options: SchemaOptions): string {
  return statement
    .replaceAll(/\{\{engine:(\w+)\}\}/g, "$1")
    .replaceAll("{{eventRetentionDays}}", String(options.eventRetentionDays));
}

/**
 * Brings the connected database up to the newest `schema/*.sql`. ClickHouse has no transaction around DDL, so every
 * statement is one that may run twice (`IF NOT EXISTS`), and processes that start together may all run it.
 */
export async function migrateSchema(client: ClickHouseClient, options: SchemaOptions): Promise<void> {
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS schema_migrations
      (version UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
      ENGINE = ReplacingMergeTree ORDER BY version`,
  });
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
  await applyRetention(client, options);
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
async function applyRetention(client: ClickHouseClient, options: SchemaOptions): Promise<void> {
  const ttl = `toDate(occurred_at) + toIntervalDay(${options.eventRetentionDays})`;
  const result = await client.query({
    query: `SELECT position(create_table_query, {ttl:String}) > 0 AS current
      FROM system.tables WHERE database = currentDatabase() AND name = 'events'`,
    query_params: { ttl: `TTL ${ttl} ` },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ current: number }>();
  if (row?.current === 1) return;
  await client.command({
    query: `ALTER TABLE events MODIFY TTL ${ttl}`,
    clickhouse_settings: { materialize_ttl_after_modify: 0 },
  });
}
