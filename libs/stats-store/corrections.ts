import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { Correction } from "#libs/domain/correction.ts";
import { READ_VERDICTS } from "#libs/domain/event.ts";
import type { BusyAd } from "./port.ts";
import { rowsOf } from "./rows.ts";

/** A piece of a query, and the values that it names. */
export interface Part {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Pairs of ad and corrected day. `IN` builds the set once per query; comparing each row with each correction takes seconds. */
const DAYS = `
  SELECT tupleElement(corrected, 1), toDate(arrayJoin(range(
    toUInt32(tupleElement(corrected, 2)), toUInt32(tupleElement(corrected, 3)) + 1)))
  FROM (SELECT arrayJoin(arrayZip(
    {correctedAds:Array(String)}, {correctedFrom:Array(Date)}, {correctedTo:Array(Date)})) AS corrected)`;

const NOTHING: Part = { sql: "0", params: {} };
/** Sorts like the column `verdict`. */
const READ = `Enum8(${READ_VERDICTS.map((verdict, n) => `'${verdict}' = ${n + 1}`).join(", ")})`;

/** The verdict with which a row of a table is read, whose UTC day is `day`. */
export function readVerdict(corrections: readonly Correction[], table: string, day: string): Part {
  const { sql, params } = isCorrected(corrections, table, day);
  const stored = `${table}.verdict`;
  if (corrections.length === 0) return { sql: stored, params };
  return {
    sql: `CAST(if(${stored} = 'valid' AND ${sql}, 'corrected', toString(${stored})) AS ${READ})`,
    params,
  };
}

/** Whether the valid events of a row of a table, whose UTC day is `day`, are corrected. */
export function isCorrected(corrections: readonly Correction[], table: string, day: string): Part {
  if (corrections.length === 0) return NOTHING;
  return {
    sql: `(${table}.ad_id, ${day}) IN (${DAYS})`,
    params: {
      correctedAds: corrections.map(({ adId }) => adId),
      correctedFrom: corrections.map(({ from }) => from),
      correctedTo: corrections.map(({ to }) => to),
    },
  };
}

/** A day of many visitors is grouped on the disk beyond this. */
const SPARING: ClickHouseSettings = { max_bytes_before_external_group_by: String(256 * 1024 * 1024) };

/** The ads with visitors of many valid clicks in a day. Rejects as the client does. */
export function selectBusyAds(
  client: ClickHouseClient,
  day: string,
  clicks: number,
  limit: number,
  settings: ClickHouseSettings,
): Promise<BusyAd[]> {
  const query = `SELECT workspace_id AS workspaceId, ad_id AS adId, toUInt32(count()) AS visitors, toUInt64(sum(clicked)) AS clicks
    FROM (
      SELECT workspace_id, ad_id, count() AS clicked FROM events
      WHERE kind = 'click' AND verdict = 'valid' AND visitor != toFixedString('', 16)
        AND occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND occurred_at < toDateTime64({day:Date} + 1, 3, 'UTC')
      GROUP BY workspace_id, ad_id, visitor HAVING clicked >= {clicks:UInt32}
    )
    GROUP BY workspace_id, ad_id ORDER BY clicks DESC, ad_id LIMIT {limit:UInt32}`;
  return rowsOf(client, query, { day, clicks, limit }, { ...settings, ...SPARING });
}
