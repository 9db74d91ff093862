import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import type { JudgementFaults } from "./port.ts";
import { rowsOf } from "./queries.ts";

/** A day of many visitors or events is grouped on the disk beyond this. */
const SPARING: ClickHouseSettings = { max_bytes_before_external_group_by: String(256 * 1024 * 1024) };

/**
 * The visitors of a day for whom two events within the window count, or a duplicate has none that counts within the window. Events of
 * the neighbouring days within a window of midnight are looked at, too. Those of visitors who ask for privacy name nobody.
 */
const FAULTS = `
  SELECT workspace_id AS workspaceId, ad_id AS adId, kind, toString(visitor) AS visitor,
    arraySort(groupArrayIf(at, verdict = 'valid')) AS counted,
    groupArrayIf(at, verdict = 'duplicate' AND isOfDay) AS duplicates,
    toUInt32(arrayCount(distance -> distance < window, arrayPopFront(arrayDifference(counted)))) AS tooNear,
    toUInt32(arrayCount(one -> NOT arrayExists(other -> abs(other - one) < window, counted), duplicates)) AS withoutOriginal
  FROM (
    SELECT workspace_id, ad_id, kind, visitor, verdict, toUnixTimestamp64Milli(occurred_at) AS at,
      toDate(occurred_at) = {day:Date} AS isOfDay,
      if(kind = 'click', {click:UInt32}, {impression:UInt32}) AS window
    FROM events
    WHERE verdict IN ('valid', 'duplicate') AND visitor != toFixedString('', 16)
      AND occurred_at >= toDateTime64({day:Date}, 3, 'UTC') - INTERVAL {around:UInt32} MILLISECOND
      AND occurred_at < toDateTime64({day:Date} + 1, 3, 'UTC') + INTERVAL {around:UInt32} MILLISECOND
  )
  GROUP BY workspace_id, ad_id, kind, visitor, window
  HAVING tooNear > 0 OR withoutOriginal > 0
  ORDER BY workspace_id, ad_id, kind, visitor
  LIMIT {limit:UInt32}`;

const DOUBLED = `
  SELECT toUInt64(sum(rows - 1)) AS doubled FROM (
    SELECT count() AS rows FROM events
    WHERE occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND occurred_at < toDateTime64({day:Date} + 1, 3, 'UTC')
    GROUP BY sipHash128(event_id)
  )`;

/** Where the verdicts of a UTC day contradict the rules, at most `limit` visitors. Rejects as the client does. */
export async function selectJudgementFaults(
  client: ClickHouseClient,
  day: string,
  limit: number,
): Promise<JudgementFaults> {
  const { impression, click } = DUPLICATE_WINDOWS_MS;
  const around = Math.max(impression, click);
  const visitors = await rowsOf<
    JudgementFaults["visitors"][number] & Record<"counted" | "duplicates", unknown>
  >(client, FAULTS, { day, limit, impression, click, around }, SPARING);
  const [row] = await rowsOf<{ doubled: number }>(client, DOUBLED, { day }, SPARING);
  return {
    visitors: visitors.map(({ counted, duplicates, ...visitor }) => visitor),
    doubledEvents: row?.doubled ?? 0,
  };
}
