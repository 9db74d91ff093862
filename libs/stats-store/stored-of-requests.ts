import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { inHalves } from "./in-halves.ts";
import { type LongList, longList } from "./long-list.ts";
import type { StoredRequest } from "./port.ts";
import { rowsOf } from "./rows.ts";

/** So many are asked for together wherever their times are. */
const REQUESTS_IN_A_QUERY = 100;
const HOUR_MS = 3_600_000;
/**
 * The events of a request span this long at most, in milliseconds, where they bring their times: a day and some hours. Those of a
 * request without times may be days apart, and others are not to be looked for in as many.
 */
const DAYS_MS = 2 * 86_400_000;
/** A request is asked for with others whose events span about as long. */
const SPANS_MS = [60_000, 480_000, HOUR_MS, DAYS_MS, Number.POSITIVE_INFINITY];

/**
 * As `STORED`: the table's order keeps what is read to the ads and times of the requests, and indexes of the same expression as here
 * (`schema/0009`) to the blocks that have one of them.
 */
const stored = (workspaceIds: LongList, adIds: LongList, names: LongList) => `
  SELECT DISTINCT event_id FROM events
  WHERE workspace_id IN ${workspaceIds.sql} AND ad_id IN ${adIds.sql}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
    AND if(event_id >= 'evt_6', substring(event_id, 1, 26), '') IN ${names.sql}`;

/** The ids of stored events of the requests. Rejects as the client does. */
export async function selectStoredOfRequests(
  client: ClickHouseClient,
  replicated: boolean,
  requests: readonly StoredRequest[],
  settings: ClickHouseSettings,
): Promise<Set<string>> {
  if (requests.length > 0 && replicated)
    await client.command({ query: "SYSTEM SYNC REPLICA events LIGHTWEIGHT" });
  const stored = new Set<string>();
  for (const group of groupsOf(requests)) {
    const ids = await inHalves(group, (some) => selectOfSome(client, some, settings));
    for (const id of ids) stored.add(id);
  }
  return stored;
}

/** What is asked for in one query each: it reads all rows of its ads within its times, so those of the same times are asked for once. */
export function groupsOf(requests: readonly StoredRequest[]): StoredRequest[][] {
  return SPANS_MS.flatMap((longest, n) => {
    const shorter = SPANS_MS[n - 1] ?? Number.NEGATIVE_INFINITY;
    const alike = requests.filter(({ from, to }) => to - from > shorter && to - from <= longest);
    return neighboursOf(alike, 2 * longest);
  });
}

/** All that are within `closeMs` are together, however many they are. */
function neighboursOf(requests: readonly StoredRequest[], closeMs: number): StoredRequest[][] {
  const groups: StoredRequest[][] = [];
  let first = 0;
  for (const request of [...requests].sort((a, b) => a.from - b.from)) {
    const newest = groups.at(-1);
    const isClose = request.to - first <= closeMs;
    if (newest !== undefined && (isClose || newest.length < REQUESTS_IN_A_QUERY)) {
      newest.push(request);
    } else {
      groups.push([request]);
      first = request.from;
    }
  }
  return groups;
}

async function selectOfSome(
  client: ClickHouseClient,
  requests: readonly StoredRequest[],
  settings: ClickHouseSettings,
): Promise<string[]> {
  const workspaceIds = longList(
    "workspaceIds",
    requests.map(({ workspaceId }) => workspaceId),
  );
  const adIds = longList(
    "adIds",
    requests.flatMap((request) => request.adIds),
  );
  const names = longList(
    "requests",
    requests.map(({ request }) => request),
  );
  const params = {
    ...workspaceIds.params,
    ...adIds.params,
    ...names.params,
    from: requests.reduce((earliest, { from }) => Math.min(earliest, from), Number.POSITIVE_INFINITY),
    to: requests.reduce((latest, { to }) => Math.max(latest, to), 0),
  };
  const query = stored(workspaceIds, adIds, names);
  const rows = await rowsOf<{ event_id: string }>(client, query, params, settings);
  return rows.map(({ event_id }) => event_id);
}
