import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import type { JudgementFaults } from "./maintenance-port.ts";
import { rowsOf } from "./rows.ts";

/** A day of many visitors or events is grouped on the disk beyond this. */
const SPARING: ClickHouseSettings = { max_bytes_before_external_group_by: String(256 * 1024 * 1024) };

/**
 * The visitors of a day for whom two events within the window count, or a duplicate has none that counts within the window. Events of
 * the neighbouring days within a window of midnight are looked at, too. Those of visitors who ask for privacy name nobody.
 *
 * Each duplicate is compared with the two that count next to it, which filling finds in one pass: comparing it with all would take memory
 * by their product. An event that counts before all time and one after it let filling begin and end.
 */
const FAULTS = `
  WITH grouped AS (
    SELECT workspace_id, ad_id, kind, visitor, if(kind = 'click', {click:UInt32}, {impression:UInt32}) AS window,
      groupArrayIf(toUnixTimestamp64Milli(occurred_at), verdict = 'valid') AS counted,
      groupArrayIf(toUnixTimestamp64Milli(occurred_at), verdict = 'duplicate' AND toDate(occurred_at) = {day:Date}) AS duplicates
    FROM events
    WHERE verdict IN ('valid', 'duplicate') AND visitor != toFixedString('', 16)
      AND occurred_at >= toDateTime64({day:Date}, 3, 'UTC') - INTERVAL {around:UInt32} MILLISECOND
      AND occurred_at < toDateTime64({day:Date} + 1, 3, 'UTC') + INTERVAL {around:UInt32} MILLISECOND
    GROUP BY workspace_id, ad_id, kind, visitor
  ), ordered AS (
    SELECT workspace_id, ad_id, kind, visitor, window, arraySort(counted) AS countedTimes,
      arraySort(arrayConcat(
        [(toInt64(-1e15), toUInt8(1)), (toInt64(1e15), toUInt8(1))],
        arrayMap(time -> (time, toUInt8(1)), counted),
        arrayMap(time -> (time, toUInt8(0)), duplicates)
      )) AS all,
      tupleElement(all, 1) AS times, tupleElement(all, 2) AS counts
    FROM grouped
  )
  SELECT workspace_id AS workspaceId, ad_id AS adId, kind, toString(visitor) AS visitor,
    toUInt32(arrayCount(distance -> distance < window, arrayPopFront(arrayDifference(countedTimes)))) AS tooNear,
    toUInt32(arrayCount(
      (time, isCounted, earlier, later) -> isCounted = 0 AND time - earlier >= window AND later - time >= window,
      times, counts,
      arrayFill((time, isCounted) -> isCounted = 1, times, counts),
      arrayReverseFill((time, isCounted) -> isCounted = 1, times, counts)
    )) AS withoutOriginal
  FROM ordered
  WHERE tooNear > 0 OR withoutOriginal > 0
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
  const params = { day, limit, impression, click, around };
  const visitors = await rowsOf<JudgementFaults["visitors"][number]>(client, FAULTS, params, SPARING);
  const [row] = await rowsOf<{ doubled: number }>(client, DOUBLED, { day }, SPARING);
  return { visitors, doubledEvents: row?.doubled ?? 0 };
}
