import { compareAll, ratioOf } from "../baselines/rounds.ts";
import { startSendServer } from "../baselines/send.ts";
import { startUpsertServer } from "../baselines/upsert.ts";
import type { Bench } from "../bench/bench.ts";
import { countEvents } from "../bench/counting.ts";
import { impressionsOn, startBareImpressions } from "../bench/impressions.ts";
import { startKafkaInstallation } from "../bench/kafka-installation.ts";
import { significant } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";

const CONNECTIONS = 256;
const BASELINES = ["Fastify", "Postgres upsert a request", "Kafka send a request"] as const;
const HEADLINES = ["ratio", "overUpsert", "overSend"] as const;

/**
 * Impressions on Kafka and Redis, each durable before its answer, against a bare POST and the two common designs: a row of
 * Postgres updated for each event, and a send to Kafka for each.
 */
export function trackingKafka(bench: Bench): Promise<ScenarioResult> {
  const { options, client } = bench;
  const { rounds, profileDir, connections = CONNECTIONS } = options;
  return releasing(async (later) => {
    const installation = await startKafkaInstallation(bench, "tracking", later);
    const { serving, engines, counted, adIds } = installation;
    const bare = await startBareImpressions(options);
    later(() => bare.stop());
    const upsert = await startUpsertServer(engines.databaseUrl, profileDir);
    later(() => upsert.stop());
    const send = await startSendServer({ brokers: engines.kafka.brokers, topic: "one-by-one" }, profileDir);
    later(() => send.stop());

    const sideOf = (server: Server) => ({ server, load: impressionsOn(server, adIds, connections, options) });
    const subject = sideOf(serving);
    const { result: comparisons, acknowledged } = await countEvents(client, counted, async () => {
      const result = await compareAll(client, rounds, {
        baselines: [bare, upsert, send].map(sideOf),
        subject,
      });
      return { result, loads: result[0]?.subjectLoads ?? [] };
    });

    const named = comparisons.map((comparison, nth) => ({ comparison, name: BASELINES[nth] ?? "" }));
    const failed = named.filter(({ comparison }) => comparison.failed > 0);
    const ratios = comparisons.map(
      (comparison, nth) => [HEADLINES[nth] ?? "", significant(ratioOf(comparison), 3)] as const,
    );
    const [first] = comparisons;
    return {
      scenario: "tracking-kafka",
      rows: named.flatMap(({ name, comparison }) => rowsOf(`${connections} connections`, comparison, name)),
      headline: {
        trackingKafka: {
          ...Object.fromEntries(ratios),
          cpuRatio: significant(first?.cpuRatio.median ?? Number.NaN, 3),
        },
        countsKafka: acknowledged.counts,
      },
      charts: chartsOf([
        ...named.flatMap(({ name, comparison }) => sidesOf("impressions", comparison, name).slice(0, 1)),
        ...(first === undefined ? [] : sidesOf("impressions", first).slice(1)),
      ]),
      details: { comparisons: named, counts: acknowledged },
      complaints: [
        ...acknowledged.complaints,
        ...failed.map(
          ({ name, comparison }) => `${comparison.failed} impressions failed, on Placard or ${name}.`,
        ),
      ],
    };
  });
}
