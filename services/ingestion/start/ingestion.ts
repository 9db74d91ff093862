import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import {
  clickhouseAccess,
  openKafka,
  openSharedJudge,
  openStats,
  untilStatsMigrated,
} from "#libs/engines/index.ts";
import { measureBacklog } from "#libs/event-log/index.ts";
import { createServer, registerHealth } from "#libs/http/index.ts";
import { listen, measureProcess } from "#libs/process/index.ts";
import { type Ingestion, startIngestion } from "../worker.ts";
import type { IngestionConfiguration } from "./configuration.ts";

/**
 * Starts ingestion as a separate service. It serves health and metrics at once, even before the engines are there, and is
 * ready while both are and events are counted.
 */
export async function startIngestionService(
  configuration: IngestionConfiguration,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const metrics = new Registry();
  measureProcess(metrics, "ingestion");
  const stats = openStats(clickhouseAccess(configuration), configuration, shutdown);
  const log = await openKafka(configuration, logger, shutdown);
  measureBacklog(log, metrics);
  const { redis, judge } = await openSharedJudge(configuration, logger, shutdown);
  let ingestion: Ingestion | null = null;

  const app = createServer({
    logger,
    publicUrl: new URL(`http://${configuration.host}`),
    trustProxy: false,
  });
  registerHealth(app, {
    logger,
    shutdown,
    metrics,
    metricsFor: "inside",
    checks: [
      { name: "ingestion", check: async () => ingestion?.isBlocked() === false },
      { name: "event log", check: async () => log.lag().then(() => true) },
      { name: "stats store", check: () => stats.ping() },
      { name: "Redis", check: async () => (await redis.ping()) === "PONG" },
    ],
  });
  await listen(app, { ...configuration, tls: undefined }, shutdown);
  void untilStatsMigrated(stats, logger, shutdown)
    .then(async () => {
      if (shutdown.started) return;
      const started = await startIngestion({ log, store: stats, judge, logger, registry: metrics });
      shutdown.onRelease("ingestion", () => started.close());
      ingestion = started;
    })
    .catch((error: Error) => shutdown.stop(error));
}
