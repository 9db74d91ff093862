import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { AdRank } from "#libs/domain/list-orders.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import type { AdCount, AudienceCount, DailyCount, TrafficCount } from "./port.ts";

/** Ids bound in one query. More would come near the longest value that ClickHouse accepts (128 KiB). */
const IDS_PER_QUERY = 1000;

const COUNTS = `
  toUInt64(sumIf(events, kind = 'impression')) AS impressions,
  toUInt64(sumIf(events, kind = 'click')) AS clicks`;

const TRAFFIC = "day, kind, verdict, toUInt64(sum(daily.events)) AS events";

const SEEN = "uniqCombined64MergeState(17)(daily.visitors)";
const NOBODY = "arrayReduce('uniqCombined64State(17)', [toFixedString('', 16)])";
const WITH_NOBODY = `arrayReduce('uniqCombined64Merge(17)', [${SEEN}, ${NOBODY}])`;
/**
 * The number of visitors without the empty visitor, to whom all events of visitors who asked not to be recognized belong. If adding
 * the empty visitor does not raise the number, it was counted already. The view of `daily` cannot leave it out, because the view must
 * not be altered (`README.md`).
 */
const VISITORS = `finalizeAggregation(${SEEN}) AS counted, toUInt64(counted - (counted = ${WITH_NOBODY})) AS visitors`;
/** Merging the visitors of a large workspace takes a core for seconds. The other cores are for everybody else. */
const OF_VISITORS: ClickHouseSettings = { max_threads: 1 };

const IN_DAYS = "day BETWEEN {from:Date} AND {to:Date}";
const OF_AD = "ad_id = {adId:String}";
const VALID = "verdict = 'valid'";

/** The rows of a query's result, numbers as numbers. Rejects as the client does. */
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

/** Selects from the rows of one workspace in `daily`, grouped and ordered by `groups`. */
function selectDaily<Row>(
  client: ClickHouseClient,
  columns: string,
  conditions: readonly string[],
  groups: string | null,
  params: { readonly workspaceId: string } & Record<string, unknown>,
  settings: ClickHouseSettings = {},
): Promise<Row[]> {
  const where = ["workspace_id = {workspaceId:String}", ...conditions].join(" AND ");
  const order = groups === null ? "" : `GROUP BY ${groups} ORDER BY ${groups}`;
  return rowsOf(client, `SELECT ${columns} FROM daily WHERE ${where} ${order}`, params, settings);
}

export function selectDailyOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: StatsWindow,
): Promise<DailyCount[]> {
  const params = { workspaceId, adId, ...days };
  return selectDaily(client, `day, ${COUNTS}`, [OF_AD, IN_DAYS, VALID], "day", params);
}

export function selectDailyOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
): Promise<DailyCount[]> {
  return selectDaily(client, `day, ${COUNTS}`, [IN_DAYS, VALID], "day", { workspaceId, ...days });
}

export function selectCountsByAd(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
): Promise<AdCount[]> {
  const params = { workspaceId, ...days };
  return selectDaily(client, `ad_id AS adId, ${COUNTS}`, [IN_DAYS, VALID], "ad_id", params);
}

export async function selectCountsOfAds(
  client: ClickHouseClient,
  workspaceId: string,
  adIds: readonly string[],
  days?: StatsWindow,
): Promise<AdCount[]> {
  const ids = [...new Set(adIds)];
  const counts: AdCount[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const conditions = ["ad_id IN {adIds:Array(String)}", VALID, ...(days === undefined ? [] : [IN_DAYS])];
    const params = { workspaceId, adIds: ids.slice(start, start + IDS_PER_QUERY), ...days };
    counts.push(
      ...(await selectDaily<AdCount>(client, `ad_id AS adId, ${COUNTS}`, conditions, "ad_id", params)),
    );
  }
  return counts;
}

const RANKS: Readonly<Record<AdRank, string>> = {
  impressions: "impressions DESC",
  clicks: "clicks DESC",
  // An ad with clicks and no impressions, which other pages link to, comes before any rate.
  ctr: "clicks / impressions DESC, clicks DESC",
};

export function selectTopAds(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  by: AdRank,
  limit: number,
): Promise<AdCount[]> {
  const query = `SELECT ad_id AS adId, ${COUNTS} FROM daily
    WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS} AND ${VALID}
    GROUP BY ad_id ORDER BY ${RANKS[by]}, ad_id LIMIT {limit:UInt32}`;
  return rowsOf(client, query, { workspaceId, ...days, limit });
}

export function selectTrafficOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: StatsWindow,
): Promise<TrafficCount[]> {
  return selectDaily(client, TRAFFIC, [OF_AD, IN_DAYS], "day, kind, verdict", { workspaceId, adId, ...days });
}

export function selectTrafficOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
): Promise<TrafficCount[]> {
  return selectDaily(client, TRAFFIC, [IN_DAYS], "day, kind, verdict", { workspaceId, ...days });
}

export async function selectAudience(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  settings: ClickHouseSettings,
): Promise<AudienceCount> {
  const params = { workspaceId, ...days };
  const columns = `${COUNTS}, ${VISITORS}`;
  const [row] = await selectDaily<AudienceCount>(client, columns, [IN_DAYS, VALID], null, params, {
    ...settings,
    ...OF_VISITORS,
  });
  const { impressions, clicks, visitors } = row ?? { impressions: 0, clicks: 0, visitors: 0 };
  return { impressions, clicks, visitors };
}

export async function selectVisitorsOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: StatsWindow,
  settings: ClickHouseSettings,
): Promise<number> {
  const conditions = [OF_AD, IN_DAYS, VALID];
  const params = { workspaceId, adId, ...days };
  const [row] = await selectDaily<{ visitors: number }>(client, VISITORS, conditions, null, params, {
    ...settings,
    ...OF_VISITORS,
  });
  return row?.visitors ?? 0;
}
