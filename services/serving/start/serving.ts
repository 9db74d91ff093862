import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import {
  openPostgres,
  openSharedStores,
  openSpillingKafka,
  trackingLimits,
  untilMigrated,
} from "#libs/engines/index.ts";
import { watchLog } from "#libs/event-log/index.ts";
import { createServer, registerHealth, type Shutdown } from "#libs/http/index.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { deriveSecrets, listen } from "#libs/process/index.ts";
import { servingRoutes } from "../routes.ts";
import { registerSpillMetrics } from "../spill-metrics.ts";
import { TRACKING_NEEDS, watchTracking } from "../tracking-health.ts";
import { joinWorkers } from "./as-worker.ts";
import type { ServingConfiguration } from "./configuration.ts";

/** Postgres is asked for snapshots that Redis does not have, and for ads that nobody knows. */
const CONNECTIONS = 5;
/** For the first look at the schema, before requests are answered. */
const FIRST_LOOK_MS = 1_000;

/**
 * Starts endpoints 1 to 4 as a service of their own. None of the engines has to be there: what is known is served and
 * events are spilled, so readiness tells of engines that are away and does not depend on them, but for a schema that has
 * never been made.
 */
export async function startServing(
  configuration: ServingConfiguration,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const { publicUrl } = configuration;
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  const metrics = new Registry();
  const database = openPostgres(
    configuration.databaseUrl,
    { ...configuration, usualPoolSize: CONNECTIONS, name: "placard serving" },
    logger,
    shutdown,
  );
  const spill = await openSpillingKafka(configuration, logger, shutdown);
  registerSpillMetrics(metrics, () => spill.spillState());
  const log = watchLog(spill);
  shutdown.onRelease("the watched event log", () => log.close());
  const { redis, limits, placements } = await openSharedStores(
    configuration,
    trackingLimits(configuration),
    logger,
    shutdown,
  );
  let isMigrated = false;
  const migrated = untilMigrated(database, logger, shutdown).then(() => {
    isMigrated = true;
  });

  const app = createServer({
    logger,
    publicUrl,
    trustProxy: configuration.trustProxy,
    tls: configuration.tls,
  });
  await app.register(
    servingRoutes({
      placements,
      source: createSnapshotSource(database.db),
      limits,
      log,
      registry: metrics,
      rotationSecret: deriveSecrets(configuration.secretKey).rotation,
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
      ...watchTracking(log, limits, metrics),
    ],
    functions: { ads: ["schema"], tracking: ["schema", ...TRACKING_NEEDS] },
  });
  // Usually the schema is there: then a worker that takes another's place is ready from its first answer on.
  await Promise.race([migrated, wait(FIRST_LOOK_MS, undefined, { ref: false })]);
  await listen(app, configuration, shutdown);
}
