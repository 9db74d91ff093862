import type { ClickHouseClient } from "@clickhouse/client";
import type { Visit } from "./port.ts";
import { rowsOf } from "./queries.ts";

/** Visits asked for in one query, whose values are some hundred kilobytes then. */
const VISITS_IN_A_QUERY = 5_000;
/** Visits of one query occurred within this time of each other, in milliseconds. */
const HOUR_MS = 3_600_000;

/**
 * Ads and times are in the table's order, so what is read is the hours of the ads. What is answered are the visitors' events in the
 * places of their visits: one who was seen all the hour may have hundreds elsewhere.
 */
const COUNTED = `
  SELECT event_id AS id, workspace_id AS workspaceId, ad_id AS adId, kind, toString(visitor) AS visitor,
    toUnixTimestamp64Milli(occurred_at) AS occurredAt
  FROM events
  WHERE workspace_id IN {workspaceIds:Array(String)} AND ad_id IN {adIds:Array(String)}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
    AND concat(visitor, toString(intDiv(toUnixTimestamp64Milli(occurred_at) - {from:Int64}, {length:Int64}))) IN {places:Array(String)}
    AND verdict = 'valid'`;

/** The stored events that count, of the visitors and ads of the visits and around their times. Rejects as the client does. */
export async function selectCountedVisits(
  client: ClickHouseClient,
  replicated: boolean,
  visits: readonly Visit[],
  aroundMs: number,
): Promise<Visit[]> {
  if (visits.length > 0 && replicated)
    await client.command({ query: "SYSTEM SYNC REPLICA events LIGHTWEIGHT" });
  const found: Visit[] = [];
  for (const group of groupsOf(visits)) {
    const times = group.map(({ occurredAt }) => occurredAt);
    const from = Math.min(...times) - aroundMs;
    // So long that what is around a visit is in two neighbouring places at most.
    const length = 2 * aroundMs + 1;
    const placeOf = (visitor: string, time: number) => visitor + Math.floor((time - from) / length);
    const rows = await rowsOf<Visit>(client, COUNTED, {
      workspaceIds: [...new Set(group.map(({ workspaceId }) => workspaceId))],
      adIds: [...new Set(group.map(({ adId }) => adId))],
      places: [
        ...new Set(
          group.flatMap(({ visitor, occurredAt }) => [
            placeOf(visitor, occurredAt - aroundMs),
            placeOf(visitor, occurredAt + aroundMs),
          ]),
        ),
      ],
      from,
      to: Math.max(...times) + aroundMs,
      length,
    });
    for (const row of rows) found.push(row);
  }
  return found;
}

function groupsOf(visits: readonly Visit[]): Visit[][] {
  const groups: Visit[][] = [];
  let hour = Number.NaN;
  for (const visit of [...visits].sort((one, other) => one.occurredAt - other.occurredAt)) {
    const newest = groups.at(-1);
    const itsHour = Math.floor(visit.occurredAt / HOUR_MS);
    if (newest !== undefined && itsHour === hour && newest.length < VISITS_IN_A_QUERY) newest.push(visit);
    else groups.push([visit]);
    hour = itsHour;
  }
  return groups;
}
