import { readFile } from "node:fs/promises";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { CountDifference, CountedAd, DayRange } from "./port.ts";
import { rowsOf } from "./queries.ts";

/** A comparison reads whole months. Beyond this size it goes to the disk, and so leaves memory for the product. */
const BEFORE_DISK_BYTES = String(256 * 1024 * 1024);

const SPARING: ClickHouseSettings = {
  max_bytes_before_external_group_by: BEFORE_DISK_BYTES,
  max_bytes_before_external_sort: BEFORE_DISK_BYTES,
};

const EVENTS_OF_DAYS =
  "occurred_at >= toDateTime64({from:Date}, 3, 'UTC') AND toDate(occurred_at) <= {to:Date}";

/** Both tables side by side; a missing count is 0. */
const DIFFERENCES = `
  SELECT workspace_id AS workspaceId, ad_id AS adId, day, kind, verdict,
    toUInt64(sum(raw)) AS events, toUInt64(sum(summed)) AS daily
  FROM (
    SELECT workspace_id, ad_id, toDate(occurred_at) AS day, kind, verdict, count() AS raw, toUInt64(0) AS summed
    FROM events WHERE ${EVENTS_OF_DAYS} GROUP BY workspace_id, ad_id, day, kind, verdict
    UNION ALL
    SELECT workspace_id, ad_id, day, kind, verdict, toUInt64(0) AS raw, sum(daily.events) AS summed
    FROM daily WHERE day BETWEEN {from:Date} AND {to:Date} GROUP BY workspace_id, ad_id, day, kind, verdict
  )
  GROUP BY workspace_id, ad_id, day, kind, verdict
  HAVING sum(raw) != sum(summed)
  ORDER BY day, workspace_id, ad_id, kind, verdict
  LIMIT {limit:UInt32}`;

/** Pass a month at most: the store holds the compared counts of all its days at once, though not the stored rows. */
export async function selectDifferences(
  client: ClickHouseClient,
  replicated: boolean,
  days: DayRange,
  limit: number,
): Promise<CountDifference[]> {
  await catchUp(client, replicated);
  return await rowsOf<CountDifference>(client, DIFFERENCES, { ...days, limit }, SPARING);
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

/** The retention of the table in days, from which the setting of this program may differ; null without one. */
export async function selectEventRetention(client: ClickHouseClient): Promise<number | null> {
  const [row] = await rowsOf<{ made: string }>(
    client,
    "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
    {},
  );
  const days = /TTL toDate\(occurred_at\) \+ toIntervalDay\((\d+)\)/.exec(row?.made ?? "")?.[1];
  return days === undefined ? null : Number(days);
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
async function catchUp(client: ClickHouseClient, replicated: boolean): Promise<void> {
  if (!replicated) return;
  for (const table of ["events", "daily"]) {
    await client.command({ query: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT` });
  }
}

const VIEW = new URL("./schema/0003_daily_from_events.sql", import.meta.url);

/**
 * Rebuilds the rows of one day in `daily` from `events`: deletes them, then inserts the result of the view that fills the
 * table. The next rebuild completes one that failed. Nothing may be inserted meanwhile. Rejects as the client does.
 */
export async function rebuildDaily(
  client: ClickHouseClient,
  replicated: boolean,
  ofEngine: ClickHouseSettings,
  day: string,
): Promise<void> {
  await catchUp(client, replicated);
  await client.command({
    query: "ALTER TABLE daily DELETE WHERE day = {day:Date}",
    query_params: { day },
    clickhouse_settings: { mutations_sync: replicated ? "2" : "1" },
  });
  await client.command({
    query: `INSERT INTO daily ${await selectOfDay()}`,
    query_params: { day },
    clickhouse_settings: {
      ...ofEngine,
      // A rebuild may insert the same rows as an earlier one. They must not be dropped as its repetition.
      insert_deduplicate: 0,
      async_insert: 0,
    },
  });
}

/** The text around the view's query, which has no condition of its own. */
const VIEW_BEGINS = " TO daily AS\n";
const GROUPS_BEGIN = "\nGROUP BY ";

/** The view's own query, for one day. */
async function selectOfDay(): Promise<string> {
  const view = await readFile(VIEW, "utf8");
  const begin = view.indexOf(VIEW_BEGINS);
  const groups = view.lastIndexOf(GROUPS_BEGIN);
  if (begin < 0 || groups < begin) throw new Error(`${VIEW.pathname} has another form.`);
  const select = view.slice(begin + VIEW_BEGINS.length, groups);
  return `${select}
    WHERE occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    ${view.slice(groups).trim()}`;
}

/** `events` comes first: after a failure, `daily` then still shows that a deletion is unfinished. */
const TABLES = ["events", "daily"] as const;

/**
 * Removes the rows of workspaces from both tables. Parts with such rows are rewritten without them, once for all of them. Waits
 * for every available replica. Rejects as the client does.
 */
export async function eraseRows(
  client: ClickHouseClient,
  replicated: boolean,
  workspaceIds: readonly string[],
): Promise<void> {
  const settings: ClickHouseSettings = { mutations_sync: replicated ? "2" : "1" };
  for (const table of TABLES) {
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
