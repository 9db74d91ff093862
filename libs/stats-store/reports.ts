import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import { isOfPlace, REPORT_DIMENSIONS } from "#libs/domain/report-dimensions.ts";
import { type Part, readVerdict } from "./corrections.ts";
import { longList, longNumbers } from "./long-list.ts";
import type {
  ReportCondition,
  ReportCount,
  ReportedGroups,
  ReportGroup,
  ReportRequest,
  ReportSpan,
  ReportTable,
  StoredDimension,
} from "./port.ts";
import { rowsOf } from "./rows.ts";

/** What ClickHouse may take for one report, in bytes: several times what 100,000 groups take. */
const MOST_MEMORY = "1000000000";

const told = (column: string) => `if(counted.${column} = '', '${NOT_KNOWN}', toString(counted.${column}))`;

/** The values of stored dimensions, as texts. Rows that an earlier release has inserted have no source and no device. */
const VALUES: Readonly<Record<Exclude<StoredDimension, "verdict">, string>> = {
  ad: "toString(ad_id)",
  source: "if(counted.source = '', 'unknown', toString(counted.source))",
  placement: told("placement"),
  path: told("path"),
  referrer: told("referrer"),
  country: told("country"),
  device: "if(counted.device = '', 'unknown', toString(counted.device))",
  browser: told("browser"),
};

const countsOf = (verdict: string) => `
  toUInt64(sumIf(counted.events, kind = 'impression' AND ${verdict} = 'valid')) AS impressions,
  toUInt64(sumIf(counted.events, kind = 'click' AND ${verdict} = 'valid')) AS clicks,
  toUInt64(sumIf(counted.events, ${verdict} != 'valid')) AS invalid`;

/** What the queries of a report share: its values by name, and the rows that have them. */
function partsOf({ workspaceId, groupBy, where, corrections = [] }: ReportedGroups, name: "key" | "value") {
  const verdict = readVerdict(corrections, "counted", "toDate(counted.bucket)");
  const conditions = where.map((condition, n) => conditionOf(condition, n, verdict.sql));
  const keys = groupBy.map((group, n) => keyOf(group, n, verdict.sql));
  return {
    names: keys.map((_, n) => `${name}${n}`),
    values: keys.map(({ sql }, n) => `${sql} AS ${name}${n}`),
    counted: (times: readonly string[]) =>
      `FROM ${tableOf({ groupBy, where })} AS counted WHERE ${[
        "workspace_id = {workspaceId:String}",
        `(${times.join(" OR ")})`,
        ...conditions.map(({ sql }) => sql),
      ].join(" AND ")}`,
    counts: countsOf(verdict.sql),
    params: Object.assign({ workspaceId }, ...[verdict, ...conditions, ...keys].map((part) => part.params)),
  };
}

/**
 * The counts of a workspace between two instants, by bucket and group, at most `limit` rows. A row that has no event is absent.
 * Rejects as the client does.
 */
export async function selectReport(
  client: ClickHouseClient,
  request: ReportRequest,
  limit: number,
  settings: ClickHouseSettings,
): Promise<ReportCount[]> {
  const { from, until, starts, groupBy, kept } = request;
  const name = kept === undefined ? "key" : "value";
  const { names, values, counted, counts, params } = partsOf(request, name);
  const buckets = starts === undefined ? undefined : longNumbers("starts", starts.map(toSeconds));
  const start = buckets === undefined ? "0" : `roundDown(toUInt32(bucket), ${buckets.sql})`;
  const grouped = `
    SELECT ${[`${start} AS start`, ...values].join(", ")}, ${counts}
    ${counted([between("from", "until")])}
    GROUP BY ${["start", ...names].join(", ")}
    HAVING impressions + clicks + invalid > 0`;
  const isOfGroups = starts === undefined && kept === undefined;
  const apart = kept === undefined ? undefined : longList("kept", kept);
  const folded = (marks: string) => {
    const shown = groupBy.map((group, n) =>
      isText(group) ? `if(isKept, ${names[n]}, '${OTHER_VALUE}') AS key${n}` : `${names[n]} AS key${n}`,
    );
    return `
      WITH ${markOf(names)} IN ${marks} AS isKept
      SELECT ${["start", ...shown].join(", ")}, toUInt64(sum(grouped.impressions)) AS impressions,
        toUInt64(sum(grouped.clicks)) AS clicks, toUInt64(sum(grouped.invalid)) AS invalid
      FROM (${grouped}) AS grouped
      GROUP BY ${["start", ...groupBy.map((_, n) => `key${n}`)].join(", ")}`;
  };
  const rows = await rowsOf<StoredRow>(
    client,
    `${apart === undefined ? grouped : folded(apart.sql)} LIMIT {limit:UInt32}`,
    {
      ...params,
      ...buckets?.params,
      ...apart?.params,
      from: toSeconds(from),
      until: toSeconds(until),
      limit,
    },
    { ...settings, max_memory_usage: MOST_MEMORY, ...(isOfGroups ? upTo(limit) : {}) },
  );
  return rows.map(({ start: second, impressions, clicks, invalid, ...row }) => ({
    start: second * 1000,
    keys: groupBy.map((group, n) => nameOf(group, row[n === 0 ? "key0" : "key1"] ?? "")),
    impressions,
    clicks,
    invalid,
  }));
}

/** The groups with the most events in the spans together, at most `most`, by their marks. Rejects as the client does. */
export async function selectMostCounted(
  client: ClickHouseClient,
  request: ReportedGroups,
  spans: readonly ReportSpan[],
  most: number,
  settings: ClickHouseSettings,
): Promise<string[]> {
  const { names, values, counted, params } = partsOf(request, "value");
  const times = Object.assign(
    {},
    ...spans.map(({ from, until }, n) => ({
      [`from${n}x`]: toSeconds(from),
      [`until${n}x`]: toSeconds(until),
    })),
  );
  const rows = await rowsOf<{ mark: string }>(
    client,
    `WITH ${values.join(", ")} SELECT ${markOf(names)} AS mark
    ${counted(spans.map((_, n) => between(`from${n}x`, `until${n}x`)))}
    GROUP BY ${names.join(", ")} ORDER BY sum(counted.events) DESC, ${names.join(", ")} LIMIT {most:UInt32}`,
    { ...params, ...times, most },
    { ...settings, max_memory_usage: MOST_MEMORY },
  );
  return rows.map(({ mark }) => mark);
}

/** Stops counting once there are more groups than asked for: the caller then uses none of the counts. */
function upTo(limit: number): ClickHouseSettings {
  return { max_rows_to_group_by: String(limit), group_by_overflow_mode: "break" };
}

/** A short name for a group. Each query is sent the names of all kept groups, for which their texts would be too long. */
function markOf(names: readonly string[]): string {
  return `toString(sipHash64(${names.join(", ")}))`;
}

/** The table that has all that a report is split and filtered by. */
export function tableOf({ groupBy, where }: Pick<ReportedGroups, "groupBy" | "where">): ReportTable {
  const dimensions = [...groupBy, ...where.map(({ by }) => by)];
  return dimensions.some((one) => typeof one === "string" && isOfPlace(one)) ? "wide" : "quarter";
}

function between(from: string, until: string): string {
  return `bucket >= toDateTime({${from}:UInt32}, 'UTC') AND bucket < toDateTime({${until}:UInt32}, 'UTC')`;
}

function conditionOf({ by, is, values, arePart = false }: ReportCondition, n: number, verdict: string): Part {
  if (arePart) {
    // ClickHouse searches each value of a bare `LowCardinality` column once, instead of each row.
    const tests = values.map((_, i) => `position(counted.${by}, {part${n}x${i}:String}) > 0`);
    const has = `(${tests.length === 0 ? "0" : tests.join(" OR ")})`;
    const params = Object.fromEntries(values.map((value, i) => [`part${n}x${i}`, value]));
    return { sql: is ? has : `NOT ${has}`, params };
  }
  const list = longList(`values${n}x`, values);
  // The column itself is compared, because only then does the table's order find the ads.
  const value = by === "ad" ? "ad_id" : sqlOf(by, verdict);
  return { sql: `${value} ${is ? "IN" : "NOT IN"} ${list.sql}`, params: list.params };
}

function sqlOf(dimension: StoredDimension, verdict: string): string {
  return dimension === "verdict" ? `toString(${verdict})` : VALUES[dimension];
}

function isText(group: ReportGroup): boolean {
  return typeof group === "string" && isOfPlace(group) && REPORT_DIMENSIONS[group].form === "text";
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
function keyOf(group: ReportGroup, n: number, verdict: string): Part {
  if (typeof group === "string") return { sql: sqlOf(group, verdict), params: {} };
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
  table: ReportTable,
  settings: ClickHouseSettings,
): Promise<number | null> {
  const params = { workspaceId, from: toSeconds(from) };
  const find = (shown: string, rest: string) =>
    rowsOf<{ first: number }>(
      client,
      `SELECT toUInt32(${shown}) AS first FROM ${table} WHERE workspace_id = {workspaceId:String} ${rest}`,
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
