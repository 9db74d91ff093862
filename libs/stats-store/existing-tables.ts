import type { ClickHouseClient } from "@clickhouse/client";
import { StatsStoreError } from "./errors.ts";
import { COUNTING_TABLES_SQL } from "./tables.ts";

/**
 * Refuses tables whose engine is not the one that is asked for: made as they are they would lose what the setting promises,
 * and ClickHouse would say nothing. ClickHouse Cloud's Shared engines are both, and pass.
 */
export async function refuseOtherEngines(client: ClickHouseClient, replicated: boolean): Promise<void> {
  const result = await client.query({
    query: `SELECT name, engine FROM system.tables
      WHERE database = currentDatabase() AND name IN (${COUNTING_TABLES_SQL}) AND NOT startsWith(engine, 'Shared')`,
    format: "JSONEachRow",
  });
  for (const { name, engine } of await result.json<{ name: string; engine: string }>()) {
    if (engine.startsWith("Replicated") === replicated) continue;
    throw new StatsStoreError(
      "UNAVAILABLE",
      replicated
        ? `the table ${name} exists with the engine ${engine}, and CLICKHOUSE_CLUSTER or CLICKHOUSE_REPLICATED asks for Replicated${engine}: unset it, or convert the table (infra/docs/clickhouse.md)`
        : `the table ${name} exists with the engine ${engine}: set CLICKHOUSE_CLUSTER or CLICKHOUSE_REPLICATED to its value when the table was made`,
    );
  }
}

/** Refuses a cluster that the server does not know, and one of several shards, where each would hold a part of the counts. */
export async function refuseOtherCluster(client: ClickHouseClient, cluster: string | null): Promise<void> {
  if (cluster === null) return;
  const result = await client.query({
    query:
      "SELECT toUInt32(uniqExact(shard_num)) AS shards FROM system.clusters WHERE cluster = {cluster:String}",
    query_params: { cluster },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ shards: number }>();
  const shards = row?.shards ?? 0;
  if (shards === 1) return;
  throw new StatsStoreError(
    "UNAVAILABLE",
    shards === 0
      ? `CLICKHOUSE_CLUSTER names ${cluster}, which is not in the server's system.clusters`
      : `the cluster ${cluster} has ${shards} shards, and the tables are kept in one: name a cluster of one shard and any replicas`,
  );
}
