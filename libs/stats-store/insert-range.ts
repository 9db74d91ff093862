import { Readable } from "node:stream";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { EVENT_COLUMNS } from "#libs/domain/event.ts";
import type { RowRange } from "./port.ts";

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(", ")}) FORMAT JSONCompactEachRow`;

/** Far above any range, so that a range is one block a partition and its token covers the whole of it. */
const ROWS_IN_A_BLOCK = "1000000";

/**
 * A token is remembered per block, so a repeated range must be cut into the same blocks as the first time: parsed
 * by one thread, in order, never mixed with other inserts.
 */
const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  input_format_parallel_parsing: 0,
  max_insert_threads: "1",
  max_insert_block_size: ROWS_IN_A_BLOCK,
  min_insert_block_size_rows: ROWS_IN_A_BLOCK,
  min_insert_block_size_bytes: "0",
  max_partitions_per_insert_block: "0",
  input_format_null_as_default: 0,
};

/** Inserts a range under its token, with the settings that the tables' engine needs besides. Rejects as the client does. */
export async function insertRows(
  client: ClickHouseClient,
  range: RowRange,
  ofEngine: ClickHouseSettings,
): Promise<void> {
  const { stream } = await client.exec({
    query: INSERT,
    values: Readable.from(range.rows, { objectMode: false }),
    clickhouse_settings: { ...SETTINGS, ...ofEngine, insert_deduplication_token: range.token },
  });
  // The socket goes back to the pool only when the (empty) answer has been read.
  for await (const _ of stream);
}
