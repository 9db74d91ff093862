import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { RowForm } from "#libs/domain/logged-event.ts";
import { inHalves } from "./in-halves.ts";
import type { EventKey } from "./port.ts";
import { rowsOf } from "./rows.ts";

/** Events asked for in one query: few queries, and no value near the length that ClickHouse takes (128 KiB). */
const KEYS_IN_A_QUERY = 500;

/**
 * An id alone would be looked for in the whole table. Workspaces, ads and times are the table's order, so that only the
 * blocks around the events are read, and the months of other times not at all.
 */
export const STORED = `
  SELECT DISTINCT event_id FROM events
  WHERE workspace_id IN {workspaceIds:Array(String)} AND ad_id IN {adIds:Array(String)}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
    AND event_id IN {ids:Array(String)}`;

/** Those that an earlier release has stored: none of them has a place. */
const WITHOUT_PLACE = `${STORED} AND device = ''`;
const WITHOUT_SOURCE = `${STORED} AND source = ''`;

/** See `StatsStore.formOfRows`. Rejects as the client does. */
export async function selectFormOfRows(
  client: ClickHouseClient,
  replicated: boolean,
  keys: readonly EventKey[],
  settings: ClickHouseSettings,
): Promise<RowForm> {
  const has = async (query: string) =>
    (await selectStored(client, replicated, keys, settings, query)).size > 0;
  if (!(await has(WITHOUT_PLACE))) return "whole";
  return (await has(WITHOUT_SOURCE)) ? "without source" : "without place";
}

/**
 * Which of the events `events` holds. Of a `replicated` table it asks after the server has fetched what the others have:
 * the insert may have gone to another one. Rejects as the client does.
 */
export async function selectStoredIds(
  client: ClickHouseClient,
  replicated: boolean,
  keys: readonly EventKey[],
  settings: ClickHouseSettings,
): Promise<Set<string>> {
  return await selectStored(client, replicated, keys, settings, STORED);
}

async function selectStored(
  client: ClickHouseClient,
  replicated: boolean,
  keys: readonly EventKey[],
  settings: ClickHouseSettings,
  query: string,
): Promise<Set<string>> {
  if (keys.length > 0 && replicated)
    await client.command({ query: "SYSTEM SYNC REPLICA events LIGHTWEIGHT" });
  // Neighbours in time share blocks.
  const sorted = [...keys].sort((a, b) => a.occurredAt - b.occurredAt);
  const stored = new Set<string>();
  for (let start = 0; start < sorted.length; start += KEYS_IN_A_QUERY) {
    const some = sorted.slice(start, start + KEYS_IN_A_QUERY);
    const ids = await inHalves(some, (fewer) => selectOfSome(client, fewer, settings, query));
    for (const id of ids) stored.add(id);
  }
  return stored;
}

async function selectOfSome(
  client: ClickHouseClient,
  keys: readonly EventKey[],
  settings: ClickHouseSettings,
  query: string,
): Promise<string[]> {
  const params = {
    workspaceIds: [...new Set(keys.map(({ workspaceId }) => workspaceId))],
    adIds: [...new Set(keys.map(({ adId }) => adId))],
    ids: keys.map(({ id }) => id),
    from: keys[0]?.occurredAt ?? 0,
    to: keys.at(-1)?.occurredAt ?? 0,
  };
  const rows = await rowsOf<{ event_id: string }>(client, query, params, settings);
  return rows.map(({ event_id }) => event_id);
}
