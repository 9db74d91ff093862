import type { ClickHouseClient } from "@clickhouse/client";
import type { BrokenPart } from "./port.ts";

/**
 * ClickHouse replaces a broken part by the parts that it was merged from while those are still there; then an active part
 * covers its blocks again.
 */
const BROKEN = `
  SELECT broken.table AS table, broken.name AS name,
    countIf(parts.partition_id = broken.partition_id
      AND parts.min_block_number <= broken.max_block_number AND parts.max_block_number >= broken.min_block_number) > 0
      AS isReplaced
  FROM system.detached_parts AS broken
  LEFT JOIN (SELECT table, partition_id, min_block_number, max_block_number FROM system.parts
    WHERE database = currentDatabase() AND active) AS parts ON parts.table = broken.table
  WHERE broken.database = currentDatabase() AND broken.reason = 'broken-on-start'
  GROUP BY ALL
  ORDER BY table, name`;

/** The parts that ClickHouse could not read when it opened its tables, as `BrokenPart` describes. Rejects as the client does. */
export async function selectBrokenParts(client: ClickHouseClient): Promise<BrokenPart[]> {
  const result = await client.query({ query: BROKEN, format: "JSONEachRow" });
  const rows = await result.json<{ table: string; name: string; isReplaced: number }>();
  return rows.map(({ table, name, isReplaced }) => ({ table, name, isReplaced: isReplaced === 1 }));
}
