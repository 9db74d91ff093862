import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { Correction } from "#libs/domain/correction.ts";
import type { ReadVerdict } from "#libs/domain/event.ts";
import type { AdRank } from "#libs/domain/list-orders.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import { isCorrected, type Part, readVerdict } from "./corrections.ts";
import type { AdCount, AudienceCount, DailyCount, TrafficCount } from "./port.ts";
import { rowsOf } from "./rows.ts";

/** Ids bound in one query. More would come near the longest value that ClickHouse accepts (128 KiB). */
const IDS_PER_QUERY = 1000;

const COUNTS = `
  toUInt64(sumIf(events, kind = 'impression')) AS impressions,
  toUInt64(sumIf(events, kind = 'click')) AS clicks`;

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

function validOf(corrections: readonly Correction[]): Part {
  const { sql, params } = isCorrected(corrections, "daily", "day");
  return { sql: corrections.length === 0 ? "verdict = 'valid'" : `verdict = 'valid' AND NOT ${sql}`, params };
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

/** As `selectDaily`, of the rows that count. */
function selectCounted<Row>(
  client: ClickHouseClient,
  corrections: readonly Correction[],
  columns: string,
  conditions: readonly string[],
  ...[groups, params, settings]: [string | null, Parameters<typeof selectDaily>[4], ClickHouseSettings?]
): Promise<Row[]> {
  const valid = validOf(corrections);
  const all = { ...params, ...valid.params };
  return selectDaily(client, columns, [...conditions, valid.sql], groups, all, settings);
}

export function selectDailyOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<DailyCount[]> {
  const params = { workspaceId, adId, ...days };
  return selectCounted(client, corrections, `day, ${COUNTS}`, [OF_AD, IN_DAYS], "day", params);
}

export function selectDailyOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<DailyCount[]> {
  const params = { workspaceId, ...days };
  return selectCounted(client, corrections, `day, ${COUNTS}`, [IN_DAYS], "day", params);
}

export function selectCountsByAd(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<AdCount[]> {
  const params = { workspaceId, ...days };
  return selectCounted(client, corrections, `ad_id AS adId, ${COUNTS}`, [IN_DAYS], "ad_id", params);
}

export async function selectCountsOfAds(
  client: ClickHouseClient,
  workspaceId: string,
  adIds: readonly string[],
  days?: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<AdCount[]> {
  const ids = [...new Set(adIds)];
  const counts: AdCount[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const conditions = ["ad_id IN {adIds:Array(String)}", ...(days === undefined ? [] : [IN_DAYS])];
    const params = { workspaceId, adIds: ids.slice(start, start + IDS_PER_QUERY), ...days };
    counts.push(
      ...(await selectCounted<AdCount>(
        client,
        corrections,
        `ad_id AS adId, ${COUNTS}`,
        conditions,
        "ad_id",
        params,
      )),
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
  corrections: readonly Correction[] = [],
): Promise<AdCount[]> {
  const valid = validOf(corrections);
  const query = `SELECT ad_id AS adId, ${COUNTS} FROM daily
    WHERE workspace_id = {workspaceId:String} AND ${IN_DAYS} AND ${valid.sql}
    GROUP BY ad_id ORDER BY ${RANKS[by]}, ad_id LIMIT {limit:UInt32}`;
  return rowsOf(client, query, { workspaceId, ...days, limit, ...valid.params });
}

export function selectTrafficOfAd(
  client: ClickHouseClient,
  workspaceId: string,
  adId: string,
  days: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<TrafficCount[]> {
  return selectTraffic(client, corrections, [OF_AD, IN_DAYS], { workspaceId, adId, ...days });
}

export function selectTrafficOfWorkspace(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  corrections: readonly Correction[] = [],
): Promise<TrafficCount[]> {
  return selectTraffic(client, corrections, [IN_DAYS], { workspaceId, ...days });
}

function selectTraffic(
  client: ClickHouseClient,
  corrections: readonly Correction[],
  conditions: readonly string[],
  params: Parameters<typeof selectDaily>[4],
): Promise<TrafficCount[]> {
  const verdict = readVerdict(corrections, "daily", "day");
  const columns = `day, kind, ${verdict.sql} AS read, toUInt64(sum(daily.events)) AS events`;
  const found = selectDaily<Omit<TrafficCount, "verdict"> & { readonly read: ReadVerdict }>(
    client,
    columns,
    conditions,
    "day, kind, read",
    { ...params, ...verdict.params },
  );
  return found.then((rows) =>
    rows.map(({ day, kind, read, events }) => ({ day, kind, verdict: read, events })),
  );
}

export async function selectAudience(
  client: ClickHouseClient,
  workspaceId: string,
  days: StatsWindow,
  corrections: readonly Correction[],
  settings: ClickHouseSettings,
): Promise<AudienceCount> {
  const params = { workspaceId, ...days };
  const columns = `${COUNTS}, ${VISITORS}`;
  const [row] = await selectCounted<AudienceCount>(client, corrections, columns, [IN_DAYS], null, params, {
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
  corrections: readonly Correction[],
  settings: ClickHouseSettings,
): Promise<number> {
  const conditions = [OF_AD, IN_DAYS];
  const params = { workspaceId, adId, ...days };
  const [row] = await selectCounted<{ visitors: number }>(
    client,
    corrections,
    VISITORS,
    conditions,
    null,
    params,
    {
      ...settings,
      ...OF_VISITORS,
    },
  );
  return row?.visitors ?? 0;
}
