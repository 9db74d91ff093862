import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { inHalves } from "./in-halves.ts";
import { type LongList, longList } from "./long-list.ts";
import type { Visit } from "./port.ts";
import { rowsOf } from "./rows.ts";

/** Visits asked for in one query, whose parameters are some hundred kilobytes then. */
const VISITS_IN_A_QUERY = 5_000;
/** Visits of one query occurred within this time of each other, in milliseconds. */
const HOUR_MS = 3_600_000;

/**
 * Ads and times are in the table's order, and `schema/0009` has indexes of the visitors by the same expression as the condition here,
 * so what is read are the blocks of the hours of the ads that have one of the visitors. What is answered are the events in the places
 * of the visits, each of an ad, a kind, a visitor and some seconds: the same visitors may have thousands elsewhere.
 */
const counted = (workspaceIds: LongList, adIds: LongList, visitors: LongList, places: LongList) => `
  SELECT event_id AS id, workspace_id AS workspaceId, ad_id AS adId, kind, toString(visitor) AS visitor,
    toUnixTimestamp64Milli(occurred_at) AS occurredAt
  FROM events
  WHERE workspace_id IN ${workspaceIds.sql} AND ad_id IN ${adIds.sql}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
    AND if(verdict = 'valid', events.visitor, '') IN ${visitors.sql}
    AND concat(ad_id, toString(kind), visitor, toString(intDiv(toUnixTimestamp64Milli(occurred_at) - {from:Int64}, {length:Int64})))
      IN ${places.sql}
    AND verdict = 'valid'`;

/** The stored events that count, of the visitors and ads of the visits and around their times. Rejects as the client does. */
export async function selectCountedVisits(
  client: ClickHouseClient,
  replicated: boolean,
  visits: readonly Visit[],
  aroundMs: number,
  settings: ClickHouseSettings,
): Promise<Visit[]> {
  if (visits.length > 0 && replicated)
    await client.command({ query: "SYSTEM SYNC REPLICA events LIGHTWEIGHT" });
  const found: Visit[] = [];
  for (const group of groupsOf(visits)) {
    const rows = await inHalves(group, (some) => selectOfSome(client, some, aroundMs, settings));
    for (const row of rows) found.push(row);
  }
  return found;
}

async function selectOfSome(
  client: ClickHouseClient,
  visits: readonly Visit[],
  aroundMs: number,
  settings: ClickHouseSettings,
): Promise<Visit[]> {
  const times = visits.map(({ occurredAt }) => occurredAt);
  const from = Math.min(...times) - aroundMs;
  // So long that what is around a visit is in two neighbouring places at most.
  const length = 2 * aroundMs + 1;
  const placeOf = ({ adId, kind, visitor }: Visit, time: number) =>
    `${adId}${kind}${visitor}${Math.floor((time - from) / length)}`;
  const workspaceIds = longList(
    "workspaceIds",
    visits.map(({ workspaceId }) => workspaceId),
  );
  const adIds = longList(
    "adIds",
    visits.map(({ adId }) => adId),
  );
  const visitors = longList(
    "visitors",
    visits.map(({ visitor }) => visitor),
  );
  const places = longList(
    "places",
    visits.flatMap((visit) => [
      placeOf(visit, visit.occurredAt - aroundMs),
      placeOf(visit, visit.occurredAt + aroundMs),
    ]),
  );
  const params = {
    ...workspaceIds.params,
    ...adIds.params,
    ...visitors.params,
    ...places.params,
    from,
    to: Math.max(...times) + aroundMs,
    length,
  };
  return await rowsOf<Visit>(client, counted(workspaceIds, adIds, visitors, places), params, settings);
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
