import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { longList, longNumbers } from "./long-list.ts";
import type { ReportCount, ReportGroup, ReportRequest, StoredDimension } from "./port.ts";
import { rowsOf } from "./queries.ts";

/** What ClickHouse may take for one report, in bytes: several times what 100,000 groups take. */
const MOST_MEMORY = 1_000_000_000;

/** The values of stored dimensions, as texts. Rows that an earlier release has inserted have no source. */
const VALUES: Readonly<Record<StoredDimension, string>> = {
  ad: "toString(ad_id)",
  verdict: "toString(verdict)",
  source: "if(quarter.source = '', 'unknown', toString(quarter.source))",
};

const COUNTS = `
  toUInt64(sumIf(quarter.events, kind = 'impression' AND verdict = 'valid')) AS impressions,
  toUInt64(sumIf(quarter.events, kind = 'click' AND verdict = 'valid')) AS clicks,
  toUInt64(sumIf(quarter.events, verdict != 'valid')) AS invalid`;

interface Part {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The counts of a workspace between two instants, by bucket and group, at most `limit` rows. A row that has no event is absent.
 * Rejects as the client does.
 */
export async function selectReport(
  client: ClickHouseClient,
  { workspaceId, from, until, starts, groupBy, where }: ReportRequest,
  limit: number,
  settings: ClickHouseSettings,
): Promise<ReportCount[]> {
  const conditions = where.map(({ by, is, values }, n): Part => {
    const list = longList(`values${n}x`, values);
    // The column itself is compared, because only then does the table's order find the ads.
    const value = by === "ad" ? "ad_id" : VALUES[by];
    return { sql: `${value} ${is ? "IN" : "NOT IN"} ${list.sql}`, params: list.params };
  });
  const keys = groupBy.map(keyOf);
  const names = keys.map((_, n) => `key${n}`);
  const buckets = starts === undefined ? undefined : longNumbers("starts", starts.map(toSeconds));
  const start = buckets === undefined ? "0" : `roundDown(toUInt32(bucket), ${buckets.sql})`;
  const query = `
    SELECT ${[`${start} AS start`, ...keys.map(({ sql }, n) => `${sql} AS key${n}`)].join(", ")}, ${COUNTS}
    FROM quarter
    WHERE ${[
      "workspace_id = {workspaceId:String}",
      "bucket >= toDateTime({from:UInt32}, 'UTC')",
      "bucket < toDateTime({until:UInt32}, 'UTC')",
      ...conditions.map(({ sql }) => sql),
    ].join(" AND ")}
    GROUP BY ${["start", ...names].join(", ")}
    HAVING impressions + clicks + invalid > 0
    LIMIT {limit:UInt32}`;
  const params = Object.assign(
    { workspaceId, from: toSeconds(from), until: toSeconds(until), limit },
    buckets?.params,
    ...[...conditions, ...keys].map((part) => part.params),
  );
  const rows = await rowsOf<StoredRow>(client, query, params, {
    ...settings,
    max_memory_usage: String(MOST_MEMORY),
  });
  return rows.map(({ start: second, impressions, clicks, invalid, ...row }) => ({
    start: second * 1000,
    keys: groupBy.map((group, n) => nameOf(group, row[n === 0 ? "key0" : "key1"] ?? "")),
    impressions,
    clicks,
    invalid,
  }));
}

interface StoredRow {
  readonly start: number;
  readonly key0?: string | number;
  readonly key1?: string | number;
  readonly impressions: number;
  readonly clicks: number;
  readonly invalid: number;
}

/** The value of a row for a group: of groups of ads the number of the group, 0 for ads that are in none. */
function keyOf(group: ReportGroup, n: number): Part {
  if (typeof group === "string") return { sql: VALUES[group], params: {} };
  const adIds = longList(`ads${n}x`, [...group.groupOfAd.keys()]);
  const numberOf = new Map(group.groups.map((name, index) => [name, index + 1]));
  const numbers = longNumbers(
    `groups${n}x`,
    [...group.groupOfAd.values()].map((name) => numberOf.get(name) ?? 0),
  );
  return {
    sql: `transform(toString(ad_id), ${adIds.sql}, ${numbers.sql}, toUInt32(0))`,
    params: { ...adIds.params, ...numbers.params },
  };
}

function nameOf(group: ReportGroup, value: string | number): string | null {
  if (typeof group === "string") return String(value);
  return group.groups[Number(value) - 1] ?? null;
}

/**
 * The first 15 minutes in which the workspace has an event, in milliseconds since the epoch; if that is before `from`, any in which it has
 * one before. Null if it has none. Only of a workspace that began after `from` all rows are read.
 */
export async function selectFirstCounted(
  client: ClickHouseClient,
  workspaceId: string,
  from: number,
  settings: ClickHouseSettings,
): Promise<number | null> {
  const params = { workspaceId, from: toSeconds(from) };
  const find = (shown: string, rest: string) =>
    rowsOf<{ first: number }>(
      client,
      `SELECT toUInt32(${shown}) AS first FROM quarter WHERE workspace_id = {workspaceId:String} ${rest}`,
      params,
      settings,
    );
  const [before] = await find("bucket", "AND bucket < toDateTime({from:UInt32}, 'UTC') LIMIT 1");
  const [found] = before === undefined ? await find("min(bucket)", "") : [before];
  return found === undefined || found.first === 0 ? null : found.first * 1000;
}

function toSeconds(instant: number): number {
  return Math.floor(instant / 1000);
}
