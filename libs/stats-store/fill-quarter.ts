import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { catchUp } from "./maintenance.ts";
import { rowsOf } from "./queries.ts";

/*
 * `quarter` is younger than `events`. Its view counts the rows that have a source, and those of earlier releases have none: these are
 * counted here, also those that an earlier release inserts while it runs beside this one. What `quarter` has of them comes from here
 * alone, so what it lacks is a subtraction.
 */

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

/** Periods with more events than counts, the newest first. Raw events are dropped after some time and their counts are not. */
function lackingBy(period: (time: string) => string, condition: (time: string) => string): string {
  return `
    SELECT period FROM (
      SELECT ${period("occurred_at")} AS period, count() AS raw, toUInt64(0) AS summed
      FROM events WHERE source = '' AND ${condition("occurred_at")} GROUP BY period
      UNION ALL
      SELECT ${period("bucket")} AS period, toUInt64(0) AS raw, sum(quarter.events) AS summed
      FROM quarter WHERE source = '' AND ${condition("bucket")} GROUP BY period
    )
    GROUP BY period HAVING sum(raw) > sum(summed) ORDER BY period DESC`;
}

/** Both tables have a partition for each month. */
const MONTHS = lackingBy(
  () => "_partition_id",
  (time) => `${time} >= toDateTime({from:Date}, 'UTC')`,
);
const DAYS_OF_MONTH = lackingBy(
  (time) => `toString(toDate(${time}))`,
  () => "_partition_id = {month:String}",
);

const KEY = "workspace_id, ad_id, bucket, kind, verdict, source";
const LACKING = `
  SELECT ${KEY}, toUInt64(sum(raw) - sum(summed)) AS lacking, toUInt64(sum(summed)) AS had FROM (
    SELECT workspace_id, ad_id, toStartOfFifteenMinutes(toDateTime(occurred_at, 'UTC')) AS bucket, kind, verdict, source,
      count() AS raw, toUInt64(0) AS summed
    FROM events
    WHERE source = '' AND occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    GROUP BY ${KEY}
    UNION ALL
    SELECT ${KEY}, toUInt64(0) AS raw, sum(quarter.events) AS summed
    FROM quarter WHERE source = '' AND toDate(bucket) = {day:Date} GROUP BY ${KEY}
  )
  GROUP BY ${KEY} HAVING sum(raw) > sum(summed)`;

/** See `StatsMaintenance.monthsToFill`. Rejects as the client does. */
export async function selectMonthsToFill(
  client: ClickHouseClient,
  replicated: boolean,
  from = "1970-01-01",
): Promise<string[]> {
  await catchUp(client, replicated);
  return (await rowsOf<{ period: string }>(client, MONTHS, { from })).map(({ period }) => period);
}

/** The days of a month that `fillQuarter` has something to add to, the newest first. Rejects as the client does. */
export async function selectDaysToFill(
  client: ClickHouseClient,
  replicated: boolean,
  month: string,
): Promise<string[]> {
  await catchUp(client, replicated);
  return (await rowsOf<{ period: string }>(client, DAYS_OF_MONTH, { month })).map(({ period }) => period);
}

/**
 * Adds to `quarter` what it lacks of a day's rows without a source. The insert is named after what it adds to what: an attempt that
 * another has overtaken in the store is dropped as its repetition. Rejects as the client does.
 */
export async function fillQuarter(
  client: ClickHouseClient,
  replicated: boolean,
  ofEngine: ClickHouseSettings,
  day: string,
): Promise<void> {
  await catchUp(client, replicated);
  const [row] = await rowsOf<{ lacking: number; digest: string }>(
    client,
    `SELECT count() AS lacking, hex(groupBitXor(sipHash64(*))) AS digest FROM (${LACKING})`,
    { day },
  );
  if (row === undefined || row.lacking === 0) return;
  await client.command({
    query: `INSERT INTO quarter (${KEY}, events) SELECT ${KEY}, lacking FROM (${LACKING}) ORDER BY ALL`,
    query_params: { day },
    clickhouse_settings: {
      ...SETTINGS,
      ...ofEngine,
      insert_deduplication_token: `fill ${day} ${row.digest}`,
    },
  });
}
