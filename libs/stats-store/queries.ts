import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { AdCount, AudienceCount, DailyCount, DayRange, TrafficCount } from "./port.ts";

/** Ids bound in one query: few queries, and no value near the length that ClickHouse takes (128 KiB). */
const IDS_IN_A_QUERY = 1000;

const COUNTS = `
  toUInt64(sumIf(events, kind = 'impression')) AS impressions,
  toUInt64(sumIf(events, kind = 'click')) AS clicks`;

const IN_DAYS = "day BETWEEN {from:Date} AND {to:Date}";

/** The rows that a query answers with, numbers as numbers. Rejects as the client does. */
export async function rowsOf<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  settings: ClickHouseSettings = {},
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, ...settings },
  });
  return result.json<Row>();
}

export async function selectDailyOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: DayRange,
): Promise<DailyCount[]> {
  return rowsOf(
    client,
    `SELECT day, ${COUNTS} FROM daily
     WHERE workspace_id = {workspaceId:String} AND ad_id = {adId:String} AND ${IN_DAYS} AND verdict = 'valid'
     GROUP BY day ORDER BY day`,
    { workspaceId, adId, ...days },
  );
}

export async function selectDailyOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: DayRange,
): Promise<DailyCount[]> {
  return rowsOf(
    client,
    `SELECT day, ${COUNTS} FROM daily
     WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS} AND verdict = 'valid'
     GROUP BY day ORDER BY day`,
    { workspaceId, ...days },
  );
}

export async function selectCountsByAd(
  client: ClickHouseClient,
  workspaceId: string,
  days: DayRange,
): Promise<AdCount[]> {
  return rowsOf(
    client,
    `SELECT ad_id AS adId, ${COUNTS} FROM daily
     WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS} AND verdict = 'valid'
     GROUP BY ad_id ORDER BY ad_id`,
    { workspaceId, ...days },
  );
}

export async function selectCountsOfAds(
  client: ClickHouseClient,
  workspaceId: string,
  adIds: readonly string[],
): Promise<AdCount[]> {
  const ids = [...new Set(adIds)];
  const counts: AdCount[] = [];
  for (let start = 0; start < ids.length; start += IDS_IN_A_QUERY) {
    const some = await rowsOf<AdCount>(
      client,
      `SELECT ad_id AS adId, ${COUNTS} FROM daily
       WHERE workspace_id = {workspaceId:String} AND ad_id IN {adIds:Array(String)} AND verdict = 'valid'
       GROUP BY ad_id ORDER BY ad_id`,
      { workspaceId, adIds: ids.slice(start, start + IDS_IN_A_QUERY) },
    );
    counts.push(...some);
  }
  return counts;
}

export async function selectTrafficOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: DayRange,
): Promise<TrafficCount[]> {
  return rowsOf(
    client,
    `SELECT day, kind, verdict, toUInt64(sum(daily.events)) AS events FROM daily
     WHERE workspace_id = {workspaceId:String} AND ad_id = {adId:String} AND ${IN_DAYS}
     GROUP BY day, kind, verdict ORDER BY day, kind, verdict`,
    { workspaceId, adId, ...days },
  );
}

export async function selectTrafficOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: DayRange,
): Promise<TrafficCount[]> {
  return rowsOf(
    client,
    `SELECT day, kind, verdict, toUInt64(sum(daily.events)) AS events FROM daily
     WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS}
     GROUP BY day, kind, verdict ORDER BY day, kind, verdict`,
    { workspaceId, ...days },
  );
}

export async function selectAudience(
  client: ClickHouseClient,
  workspaceId: string,
  days: DayRange,
): Promise<AudienceCount> {
  const [row] = await rowsOf<AudienceCount>(
    client,
    `SELECT ${COUNTS}, uniqCombined64Merge(17)(daily.visitors) AS visitors FROM daily
     WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS} AND verdict = 'valid'`,
    { workspaceId, ...days },
  );
  return row ?? { impressions: 0, clicks: 0, visitors: 0 };
}

export async function selectVisitorsOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: DayRange,
): Promise<number> {
  const [row] = await rowsOf<{ total: number }>(
    client,
    `SELECT uniqCombined64Merge(17)(visitors) AS total FROM daily
     WHERE workspace_id = {workspaceId:String} AND ad_id = {adId:String} AND ${IN_DAYS} AND verdict = 'valid'`,
    { workspaceId, adId, ...days },
  );
  return row?.total ?? 0;
}
