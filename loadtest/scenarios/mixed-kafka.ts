import type { Bench } from "../bench/bench.ts";
import { startKafkaInstallation } from "../bench/kafka-installation.ts";
import { releasing } from "../processes/releases.ts";
import type { ScenarioResult } from "../report/result.ts";
import { mixedOn } from "./mixed.ts";

/** As `mixed`, on the separate services with Kafka and Redis; what stats cost is taken from ClickHouse itself. */
export function mixedKafka(bench: Bench): Promise<ScenarioResult> {
  const { client, options } = bench;
  return releasing(async (later) => {
    const { serving, workspaceId, adIds, readStats } = await startKafkaInstallation(bench, "mixed", later);
    const target = {
      origin: serving.origin,
      servingPath: `/v1/workspaces/${workspaceId}/ads/serving?count=8`,
      adIds: adIds.slice(0, 50),
    };
    return mixedOn("mixed-kafka", client, serving, target, options.duration, (nth) =>
      readStats(adIds[nth % adIds.length] ?? ""),
    );
  });
}
