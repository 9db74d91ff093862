import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { catchUp, firstSplitDay } from "./maintenance.ts";
import { rowsOf } from "./rows.ts";
import { YOUNGER_SUMS } from "./tables.ts";

/*
 * `quarter` and `wide` are younger than `events`. The view of each counts the rows that have a source, or a place, and those of earlier
 * releases have none: these are counted here, also those that an earlier release inserts while it runs beside this one. What a table has
 * of them comes from here alone, so what it lacks is a subtraction. They have no place, so the key of `quarter` is enough for both.
 */

type Younger = (typeof YOUNGER_SUMS)[number];

/** More rows than a day gives, so that an insert is one block, and whole or not there at all. */
const ROWS_IN_A_BLOCK = "10000000";

const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  max_insert_threads: "1",
  max_insert_block_size: ROWS_IN_A_BLOCK,
  min_insert_block_size_rows: ROWS_IN_A_BLOCK,
  min_insert_block_size_bytes: "0",
};

/** Periods with more events than counts. Raw events are dropped after some time and their counts are not. */
function lackingBy(
  { table, column }: Younger,
  period: (time: string) => string,
  condition: (time: string) => string,
): string {
  return `
    SELECT period FROM (
      SELECT ${period("occurred_at")} AS period, count() AS raw, toUInt64(0) AS summed
      FROM events WHERE ${column} = '' AND ${condition("occurred_at")} GROUP BY period
      UNION ALL
      SELECT ${period("bucket")} AS period, toUInt64(0) AS raw, sum(${table}.events) AS summed
      FROM ${table} WHERE ${column} = '' AND ${condition("bucket")} GROUP BY period
    )
    GROUP BY period HAVING sum(raw) > sum(summed)`;
}

/** All tables have a partition for each month. */
const monthsOf = (sum: Younger) =>
  lackingBy(
    sum,
    () => "_partition_id",
    (time) => `${time} >= toDateTime({from:Date}, 'UTC')`,
  );
const daysOf = (sum: Younger) =>
  lackingBy(
    sum,
    (time) => `toString(toDate(${time}))`,
    (time) => `_partition_id = {month:String} AND ${time} >= toDateTime({from:Date}, 'UTC')`,
  );

const KEY = "workspace_id, ad_id, bucket, kind, verdict, source";
const lackingOf = ({ table, column }: Younger) => `
  SELECT ${KEY}, toUInt64(sum(raw) - sum(summed)) AS lacking, toUInt64(sum(summed)) AS had FROM (
    SELECT workspace_id, ad_id, toStartOfFifteenMinutes(toDateTime(occurred_at, 'UTC')) AS bucket, kind, verdict, source,
      count() AS raw, toUInt64(0) AS summed
    FROM events
    WHERE ${column} = '' AND occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    GROUP BY ${KEY}
    UNION ALL
    SELECT ${KEY}, toUInt64(0) AS raw, sum(${table}.events) AS summed
    FROM ${table} WHERE ${column} = '' AND toDate(bucket) = {day:Date} GROUP BY ${KEY}
  )
  GROUP BY ${KEY} HAVING sum(raw) > sum(summed)`;

/** See `StatsMaintenance.monthsToFill`. Rejects as the client does. */
export async function selectMonthsToFill(
  client: ClickHouseClient,
  replicated: boolean,
  from = "1970-01-01",
): Promise<string[]> {
  return await periodsOf(client, replicated, monthsOf, { from });
}

/** See `StatsMaintenance.daysToFill`. Rejects as the client does. */
export async function selectDaysToFill(
  client: ClickHouseClient,
  replicated: boolean,
  month: string,
): Promise<string[]> {
  return await periodsOf(client, replicated, daysOf, { from: "1970-01-01", month });
}

/** The periods of both tables, the newest first. `wide` lacks nothing of days that it does not keep. */
async function periodsOf(
  client: ClickHouseClient,
  replicated: boolean,
  queryOf: (sum: Younger) => string,
  params: { readonly from: string; readonly month?: string },
): Promise<string[]> {
  await catchUp(client, replicated);
  const kept = await firstSplitDay(client);
  const periods = new Set<string>();
  for (const sum of YOUNGER_SUMS) {
    const from = sum.table === "wide" && kept > params.from ? kept : params.from;
    const rows = await rowsOf<{ period: string }>(client, queryOf(sum), { ...params, from });
    for (const { period } of rows) periods.add(period);
  }
  return [...periods].sort().reverse();
}

/**
 * Adds to `quarter` and `wide` what they lack of a day's rows of earlier releases. An insert is named after what it adds to what: an
 * attempt that another has overtaken in the store is dropped as its repetition. Rejects as the client does.
 */
export async function fillCounts(
  client: ClickHouseClient,
  replicated: boolean,
  ofEngine: ClickHouseSettings,
  day: string,
): Promise<void> {
  await catchUp(client, replicated);
  const kept = await firstSplitDay(client);
  for (const sum of YOUNGER_SUMS) {
    if (sum.table === "wide" && day < kept) continue;
    const lacking = lackingOf(sum);
    const [row] = await rowsOf<{ lacking: number; digest: string }>(
      client,
      `SELECT count() AS lacking, hex(groupBitXor(sipHash64(*))) AS digest FROM (${lacking})`,
      { day },
    );
    if (row === undefined || row.lacking === 0) continue;
    await client.command({
      query: `INSERT INTO ${sum.table} (${KEY}, events) SELECT ${KEY}, lacking FROM (${lacking}) ORDER BY ALL`,
      query_params: { day },
      clickhouse_settings: {
        ...SETTINGS,
        ...ofEngine,
        insert_deduplication_token: `fill ${day} ${row.digest}`,
      },
    });
  }
}
