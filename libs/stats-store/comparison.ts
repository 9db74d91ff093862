import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { CountDifference, CountedAd, DayRange } from "./port.ts";
import { rowsOf } from "./queries.ts";

/** A comparison reads whole months; beyond this it leaves the memory for the product. */
const BEFORE_DISK_BYTES = String(256 * 1024 * 1024);

const SPARING: ClickHouseSettings = {
  max_bytes_before_external_group_by: BEFORE_DISK_BYTES,
  max_bytes_before_external_sort: BEFORE_DISK_BYTES,
};

const EVENTS_OF_DAYS =
  "occurred_at >= toDateTime64({from:Date}, 3, 'UTC') AND toDate(occurred_at) <= {to:Date}";

/** Both tables side by side: what one lacks has a count of 0 there. */
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

/** A month and less per call: the rows that are compared, and not those that are stored, are held at a time. */
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

/** As the table has it: the setting of the program that asks may be another one. */
export async function selectEventRetention(client: ClickHouseClient): Promise<number | null> {
  const [row] = await rowsOf<{ made: string }>(
    client,
    "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
    {},
  );
  const days = /TTL toDate\(occurred_at\) \+ toIntervalDay\((\d+)\)/.exec(row?.made ?? "")?.[1];
  return days === undefined ? null : Number(days);
}

/** What both tables hold of a day, over all workspaces. */
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

/** The inserts that other replicas took may not be on this one yet. */
export async function catchUp(client: ClickHouseClient, replicated: boolean): Promise<void> {
  if (!replicated) return;
  for (const table of ["events", "daily"]) {
    await client.command({ query: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT` });
  }
}
