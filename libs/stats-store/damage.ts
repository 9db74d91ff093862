import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import type { BrokenPart, UnreadablePart } from "./maintenance-port.ts";
import { COUNTING_TABLES_SQL } from "./tables.ts";

/**
 * ClickHouse replaces a broken part by the parts that it was merged from while those are still there; then an active part
 * covers its blocks again.
 */
const BROKEN = `
  SELECT broken.table AS table, broken.name AS name,
    countIf(parts.partition_id = broken.partition_id
      AND parts.min_block_number <= broken.max_block_number AND parts.max_block_number >= broken.min_block_number) > 0
      AS isReplaced
  FROM system.detached_parts AS broken
  LEFT JOIN (SELECT table, partition_id, min_block_number, max_block_number FROM system.parts
    WHERE database = currentDatabase() AND active) AS parts ON parts.table = broken.table
  WHERE broken.database = currentDatabase() AND broken.reason = 'broken-on-start'
  GROUP BY ALL
  ORDER BY table, name`;

/** The parts that ClickHouse could not read when it opened its tables, as `BrokenPart` describes. Rejects as the client does. */
export async function selectBrokenParts(client: ClickHouseClient): Promise<BrokenPart[]> {
  const result = await client.query({ query: BROKEN, format: "JSONEachRow" });
  const rows = await result.json<{ table: string; name: string; isReplaced: number }>();
  return rows.map(({ table, name, isReplaced }) => ({ table, name, isReplaced: isReplaced === 1 }));
}

const ACTIVE = `
  SELECT table, name FROM system.parts
  WHERE database = currentDatabase() AND active AND table IN (${COUNTING_TABLES_SQL}) ORDER BY table, name`;
/** The part is no more, or is no longer active. */
const GONE = "NO_SUCH_DATA_PART";

/** The active parts whose checksums do not match their data. A query for each, so that none takes long. Rejects as the client does. */
export async function* selectUnreadableParts(client: ClickHouseClient): AsyncGenerator<UnreadablePart> {
  const result = await client.query({ query: ACTIVE, format: "JSONEachRow" });
  for (const { table, name } of await result.json<{ table: string; name: string }>()) {
    const reason = await damageIn(client, table, name);
    if (reason !== null) yield { table, name, reason };
  }
}

async function damageIn(client: ClickHouseClient, table: string, name: string): Promise<string | null> {
  try {
    const result = await client.query({
      query: `CHECK TABLE ${table} PART '${name}'`,
      format: "JSONEachRow",
      clickhouse_settings: { check_query_single_value_result: 0 },
    });
    const rows = await result.json<{ is_passed: number; message: string }>();
    return rows.find(({ is_passed }) => is_passed !== 1)?.message ?? null;
  } catch (error) {
    if (error instanceof ClickHouseError && error.type === GONE) return null;
    throw error;
  }
}

const FOLDER = "deduplication_logs";
/** Tables with rows that remember tokens in a file of their own: Replicated ones keep them in Keeper. */
const TABLES = `
  SELECT name, data_paths[1] AS path FROM system.tables
  WHERE database = currentDatabase() AND name IN (${COUNTING_TABLES_SQL}) AND NOT startsWith(engine, 'Replicated')
    AND NOT startsWith(engine, 'Shared') AND total_rows > 0
  ORDER BY name`;

/**
 * Tables on this machine that have rows and no deduplication log: a range that is repeated would be stored twice. Tables
 * whose files are not reachable from here are not looked at. Rejects as the client does.
 */
export async function selectForgetfulTables(client: ClickHouseClient): Promise<string[]> {
  const result = await client.query({ query: TABLES, format: "JSONEachRow" });
  const tables = await result.json<{ name: string; path: string }>();
  const forgetful = await Promise.all(
    tables.map(async ({ path }) => (await isHere(path)) && !(await hasLog(path))),
  );
  return tables.filter((_table, index) => forgetful[index]).map(({ name }) => name);
}

async function isHere(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function hasLog(path: string): Promise<boolean> {
  const folder = join(path, FOLDER);
  const files = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.some((size) => size > 0);
}
