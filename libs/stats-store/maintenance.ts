import { readFile } from "node:fs/promises";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import type { CountDifference, CountedAd } from "./maintenance-port.ts";
import { rowsOf } from "./rows.ts";
import { COUNTING_TABLES, type EXPIRING_TABLES, SUMS } from "./tables.ts";

/** A comparison reads whole months. Beyond this size it goes to the disk, and so leaves memory for the product. */
const BEFORE_DISK_BYTES = String(256 * 1024 * 1024);

const SPARING: ClickHouseSettings = {
  max_bytes_before_external_group_by: BEFORE_DISK_BYTES,
  max_bytes_before_external_sort: BEFORE_DISK_BYTES,
};

const DAY_MS = 86_400_000;

const EVENTS_OF_DAYS =
  "occurred_at >= toDateTime64({from:Date}, 3, 'UTC') AND toDate(occurred_at) <= {to:Date}";

const COUNTED = "workspace_id, ad_id, day, kind, verdict";

/** The tables side by side; a missing count is 0. `wide` drops old days: of these it has null, which differs from nothing. */
const DIFFERENCES = `
  SELECT workspace_id AS workspaceId, ad_id AS adId, day, kind, verdict,
    toUInt64(sumIf(counted, of = 'events')) AS events, toUInt64(sumIf(counted, of = 'daily')) AS daily,
    toUInt64(sumIf(counted, of = 'quarter')) AS quarter,
    if(day >= {split:Date}, toUInt64(sumIf(counted, of = 'wide')), NULL) AS wide
  FROM (
    SELECT ${COUNTED}, 'events' AS of, count() AS counted
    FROM (SELECT workspace_id, ad_id, toDate(occurred_at) AS day, kind, verdict FROM events WHERE ${EVENTS_OF_DAYS})
    GROUP BY ${COUNTED}
    ${SUMS.map(
      ({ table, day }) => `UNION ALL
    SELECT workspace_id, ad_id, ${day} AS day, kind, verdict, '${table}' AS of, sum(${table}.events) AS counted
    FROM ${table} WHERE ${day} BETWEEN {from:Date} AND {to:Date} GROUP BY ${COUNTED}`,
    ).join("\n")}
  )
  GROUP BY ${COUNTED}
  HAVING events != daily OR events != quarter OR ifNull(events != wide, false)
  ORDER BY ${COUNTED}
  LIMIT {limit:UInt32}`;

/** Pass a month at most: the store holds the compared counts of all its days at once, though not the stored rows. */
export async function selectDifferences(
  client: ClickHouseClient,
  replicated: boolean,
  days: StatsWindow,
  limit: number,
): Promise<CountDifference[]> {
  await catchUp(client, replicated);
  const split = await firstSplitDay(client);
  return await rowsOf<CountDifference>(client, DIFFERENCES, { ...days, limit, split }, SPARING);
}

/** The ads of `daily` behind the given one, in the table's order. */
export async function selectCountedAds(
  client: ClickHouseClient,
  after: CountedAd | null,
  limit: number,
): Promise<CountedAd[]> {
  const { workspaceId, adId } = after ?? { workspaceId: "", adId: "" };
  return await rowsOf<CountedAd>(
    client,
    `SELECT workspace_id AS workspaceId, ad_id AS adId FROM daily
     WHERE workspace_id >= {workspaceId:String}
       AND (workspace_id > {workspaceId:String} OR ad_id > {adId:String})
     GROUP BY workspace_id, ad_id ORDER BY workspace_id, ad_id LIMIT {limit:UInt32}`,
    { workspaceId, adId, limit },
  );
}

/** The retention of a table in days, from which the setting of this program may differ; null without one. */
export async function selectRetention(
  client: ClickHouseClient,
  table: (typeof EXPIRING_TABLES)[number]["table"],
): Promise<number | null> {
  const [row] = await rowsOf<{ made: string }>(
    client,
    "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
    { table },
  );
  const days = / TTL toDate\(\w+\) \+ toIntervalDay\((\d+)\)/.exec(row?.made ?? "")?.[1];
  return days === undefined ? null : Number(days);
}

/** The first UTC day that `wide` keeps whole. */
export async function firstSplitDay(client: ClickHouseClient): Promise<string> {
  const days = (await selectRetention(client, "wide")) ?? Number.POSITIVE_INFINITY;
  const first = Date.now() - (days - 1) * DAY_MS;
  return new Date(Math.max(first, 0)).toISOString().slice(0, 10);
}

/** The events of a day in both tables, over all workspaces. */
export async function selectTotalsOfDay(
  client: ClickHouseClient,
  replicated: boolean,
  day: string,
): Promise<{ events: number; daily: number }> {
  await catchUp(client, replicated);
  const [row] = await rowsOf<{ events: number; daily: number }>(
    client,
    `SELECT (SELECT count() FROM events WHERE ${EVENTS_OF_DAYS}) AS events,
       (SELECT toUInt64(sum(daily.events)) FROM daily WHERE day = {from:Date}) AS daily`,
    { from: day, to: day },
  );
  return row ?? { events: 0, daily: 0 };
}

/** Inserts into other replicas may not have reached this one yet. */
export async function catchUp(client: ClickHouseClient, replicated: boolean): Promise<void> {
  if (!replicated) return;
  for (const table of COUNTING_TABLES) {
    await client.command({ query: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT` });
  }
}

/**
 * Rebuilds the rows of one day in all sums from `events`: deletes them, then inserts the result of the view that
 * fills the table. The next rebuild completes one that failed. Nothing may be inserted meanwhile. Rejects as the client does.
 */
export async function rebuildCounts(
  client: ClickHouseClient,
  replicated: boolean,
  ofEngine: ClickHouseSettings,
  day: string,
): Promise<void> {
  await catchUp(client, replicated);
  for (const { table, day: dayOfRow, view } of SUMS) {
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE ${dayOfRow} = {day:Date}`,
      query_params: { day },
      clickhouse_settings: { mutations_sync: replicated ? "2" : "1" },
    });
    await client.command({
      query: `INSERT INTO ${table} ${await selectOfDay(view)}`,
      query_params: { day },
      clickhouse_settings: {
        ...SPARING,
        ...ofEngine,
        // A rebuild may insert the same rows as an earlier one. They must not be dropped as its repetition.
        insert_deduplicate: 0,
        async_insert: 0,
      },
    });
  }
}

/** A view as `schema/` has it. Its condition is left out, because a rebuild is of all rows. */
const VIEW =
  /^CREATE MATERIALIZED VIEW [^\n]* TO \w+ AS\n(?<select>.+?FROM events)\n(?:WHERE [^\n]*\n)?(?<groups>GROUP BY [^\n]*)\n$/s;

/** The view's own query, for one day. */
async function selectOfDay(view: URL): Promise<string> {
  const { select, groups } = VIEW.exec(await readFile(view, "utf8"))?.groups ?? {};
  if (select === undefined || groups === undefined) throw new Error(`${view.pathname} has another form.`);
  return `${select}
    WHERE occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    ${groups}`;
}

/**
 * Removes the rows of workspaces from all tables. Parts with such rows are rewritten without them, once for all of them. Waits
 * for every available replica. Rejects as the client does.
 */
export async function eraseRows(
  client: ClickHouseClient,
  replicated: boolean,
  workspaceIds: readonly string[],
): Promise<void> {
  const settings: ClickHouseSettings = { mutations_sync: replicated ? "2" : "1" };
  for (const table of COUNTING_TABLES) {
    const found = await withRows(client, table, workspaceIds);
    if (found.length === 0) continue;
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE workspace_id IN {found:Array(String)}`,
      query_params: { found },
      clickhouse_settings: settings,
    });
  }
}

/** The workspaces that have rows in the table. */
async function withRows(
  client: ClickHouseClient,
  table: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    client,
    `SELECT DISTINCT workspace_id AS id FROM ${table} WHERE workspace_id IN {workspaceIds:Array(String)}`,
    { workspaceIds },
  );
  return rows.map(({ id }) => id);
}
