import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import { measurePool } from "#libs/database/pool-metrics.ts";
import { trackingLimits } from "#libs/domain/tracking-limits.ts";
import {
  openPostgres,
  openSharedStores,
  openSpillingKafka,
  untilMigrated,
  VISITORS_WAIT_MS,
} from "#libs/engines/index.ts";
import { measureBacklog, watchLog } from "#libs/event-log/index.ts";
import { createServer, registerHealth } from "#libs/http/index.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { deriveSecrets, listen, measureProcess } from "#libs/process/index.ts";
import { TRACKING_NEEDS, watchTracking } from "../record/tracking-health.ts";
import type { ServingConfiguration } from "./configuration.ts";
import { openOperatorFiles } from "./operator-files.ts";
import { servingRoutes } from "./routes.ts";
import { registerSpillMetrics } from "./spill-metrics.ts";
import { joinWorkers } from "./worker.ts";

/** Few: Postgres is asked only for what Redis does not have. */
const CONNECTIONS = 5;
/** Callers wait no longer for a workspace or an ad that this process does not know. */
const LOOKUP_MS = 1_000;
/** How long the start waits for the schema before it listens. */
const SCHEMA_CHECK_TIMEOUT_MS = 1_000;

/**
 * Starts serving as a service of its own. It needs no engine to start and to stay ready: cached ads are served and events
 * are spilled. Only a schema that was never created keeps it unready; `/readyz` also reports engines that are away.
 */
export async function startServing(
  configuration: ServingConfiguration,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const { publicUrl } = configuration;
  const secrets = deriveSecrets(configuration.secretKey);
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  const metrics = new Registry();
  measureProcess(metrics, "serving");
  const database = openPostgres(
    configuration.databaseUrl,
    { ...configuration, usualPoolSize: CONNECTIONS, name: "placard serving" },
    logger,
    shutdown,
  );
  measurePool(database.pool, metrics);
  const spill = await openSpillingKafka(configuration, logger, shutdown);
  registerSpillMetrics(metrics, () => spill.spillState());
  // Here too, because these processes outlive those of ingestion.
  measureBacklog(spill, metrics);
  const log = watchLog(spill);
  shutdown.onRelease("the watched event log", () => log.close());
  const { redis, limits, placements } = await openSharedStores(
    { ...configuration, answersWithinMs: VISITORS_WAIT_MS },
    logger,
    shutdown,
  );
  const operatorFiles = await openOperatorFiles(configuration, metrics, logger, shutdown);
  let isMigrated = false;
  const migrated = untilMigrated(database, logger, shutdown).then(() => {
    isMigrated = true;
  });

  const app = createServer({
    logger,
    publicUrl,
    trustProxy: configuration.trustProxy ?? false,
    tls: configuration.tls,
  });
  await app.register(
    servingRoutes({
      placements,
      source: createSnapshotSource(database.db),
      tracking: trackingLimits(configuration),
      limits,
      saltsFolder: configuration.spillDir,
      log,
      ...operatorFiles,
      registry: metrics,
      answersWithinMs: LOOKUP_MS,
      rotationSecret: secrets.rotation,
      proofSecrets: secrets.proofs,
      proofValidMinutes: configuration.proofValidMinutes,
      countryHeader: configuration.countryHeader,
      serverEventsPerMinute: configuration.serverEventsPerMinute,
      slowRequestMs: configuration.slowRequestMs,
      publicUrl,
      onWarning,
    }),
    { prefix: "/v1" },
  );
  registerHealth(app, {
    logger,
    shutdown,
    metrics: joinWorkers(metrics, shutdown),
    metricsFor: "inside",
    checks: [{ name: "schema", check: async () => isMigrated }],
    watched: [
      { name: "Redis", check: async () => (await redis.ping()) === "PONG" },
      { name: "database", check: async () => database.ping().then(() => true) },
      watchTracking(log, metrics),
    ],
    functions: { ads: ["schema"], tracking: ["schema", ...TRACKING_NEEDS] },
  });
  // Usually the schema exists: then a worker that replaces another is ready from its first answer on.
  await Promise.race([migrated, wait(SCHEMA_CHECK_TIMEOUT_MS, undefined, { ref: false })]);
  await listen(app, configuration, shutdown);
}
