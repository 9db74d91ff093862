import type { ClickHouseClient } from "@clickhouse/client";
import type { StoredRequest } from "./port.ts";

/** Ads asked for in one query, so that no value is near the length that ClickHouse takes (128 KiB). */
const ADS_IN_A_QUERY = 1_000;
/** As many requests as one value has room for. */
const MOST_REQUESTS_IN_A_QUERY = 4_000;
/** So many are asked for together wherever their times are. */
const REQUESTS_IN_A_QUERY = 100;
/** More are asked for together within this time, in milliseconds: each query reads all rows of the ads within its times. */
const CLOSE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Requests that know when their events occurred span a day at most; one of days would have those of others read, too. */
const DAYS_MS = 2 * 86_400_000;

/** As `STORED`: the table's order keeps what is read to the ads and times of the requests. */
const STORED = `
  SELECT DISTINCT event_id FROM events
  WHERE workspace_id IN {workspaceIds:Array(String)} AND ad_id IN {adIds:Array(String)}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
    AND substring(event_id, 1, {length:UInt8}) IN {requests:Array(String)}`;

/** The ids of stored events of the requests. Rejects as the client does. */
export async function selectStoredOfRequests(
  client: ClickHouseClient,
  replicated: boolean,
  requests: readonly StoredRequest[],
): Promise<Set<string>> {
  if (requests.length > 0 && replicated)
    await client.command({ query: "SYSTEM SYNC REPLICA events LIGHTWEIGHT" });
  const stored = new Set<string>();
  for (const group of groupsOf(requests)) for (const id of await selectOfSome(client, group)) stored.add(id);
  return stored;
}

/** What is asked for in one query each. Neighbours in time share blocks. */
export function groupsOf(requests: readonly StoredRequest[]): StoredRequest[][] {
  const spanning = (least: number, most: number) =>
    requests.filter(({ from, to }) => to - from > least && to - from <= most);
  return [
    ...neighboursOf(spanning(DAYS_MS, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY),
    ...neighboursOf(spanning(HOUR_MS, DAYS_MS), Number.POSITIVE_INFINITY),
    ...neighboursOf(spanning(Number.NEGATIVE_INFINITY, HOUR_MS), CLOSE_MS),
  ];
}

function neighboursOf(requests: readonly StoredRequest[], closeMs: number): StoredRequest[][] {
  const groups: StoredRequest[][] = [];
  let adIds = new Set<string>();
  let first = 0;
  for (const request of [...requests].sort((a, b) => a.from - b.from)) {
    const newest = groups.at(-1);
    for (const adId of request.adIds) adIds.add(adId);
    const most = request.to - first <= closeMs ? MOST_REQUESTS_IN_A_QUERY : REQUESTS_IN_A_QUERY;
    if (newest !== undefined && newest.length < most && adIds.size <= ADS_IN_A_QUERY) {
      newest.push(request);
    } else {
      groups.push([request]);
      adIds = new Set(request.adIds);
      first = request.from;
    }
  }
  return groups;
}

async function selectOfSome(client: ClickHouseClient, requests: readonly StoredRequest[]): Promise<string[]> {
  const result = await client.query({
    query: STORED,
    query_params: {
      workspaceIds: [...new Set(requests.map(({ workspaceId }) => workspaceId))],
      adIds: [...new Set(requests.flatMap(({ adIds }) => adIds))],
      requests: requests.map(({ request }) => request),
      length: requests[0]?.request.length ?? 0,
      from: Math.min(...requests.map(({ from }) => from)),
      to: Math.max(...requests.map(({ to }) => to)),
    },
    format: "JSONEachRow",
  });
  const rows = await result.json<{ event_id: string }>();
  return rows.map(({ event_id }) => event_id);
}
