import type { Logger } from "pino";
import { Registry } from "prom-client";
import { watchLog } from "#libs/event-log/index.ts";
import { createServer, registerHealth, type Shutdown } from "#libs/http/index.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { goOnUnlessStopped, listen } from "#libs/process/index.ts";
import { startIngestion } from "../ingestion/worker.ts";
import { unlockJobs } from "../management/jobs/jobs.ts";
import { openManagement } from "../management/start/open.ts";
import { servingRoutes } from "../serving/routes.ts";
import { TRACKING_NEEDS, watchTracking } from "../serving/tracking-health.ts";
import type { Configuration } from "./configuration.ts";
import { openDataFolder } from "./data-folder.ts";
import { startDatabase, startStats } from "./engines.ts";
import { openLog } from "./log.ts";
import { buildPagesOnce } from "./pages.ts";
import { openSecrets } from "./secrets.ts";
import { type Demo, seedDemo } from "./seed/demo.ts";
import { demoSignIn } from "./seed/demo-sign-in.ts";
import { openStores } from "./stores.ts";
import { startUploads } from "./uploads.ts";
import { watchStores } from "./watch-stores.ts";

/**
 * Starts every part of an installation in this process and its children, in the order in which they need each other.
 * Resolves when requests are answered; `demo` is what a first start was seeded with, or finds of an earlier one.
 */
export async function startStandalone(
  configuration: Configuration,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ demo: Demo | null }> {
  const { publicUrl } = configuration;
  const folder = await openDataFolder(configuration.dataDir, (message) => logger.warn(message));
  shutdown.onRelease("the data folder", () => folder.release());
  const secrets = await openSecrets(folder.secrets, configuration.secretKey);

  const engines = [
    startDatabase(configuration, folder, logger, shutdown),
    startStats(configuration, folder, logger, shutdown),
  ] as const;
  const pages = buildPagesOnce(logger, shutdown);
  // When one fails the other is waited for all the same: it could not be ended before it has started.
  await Promise.allSettled(engines);
  const [database, stats] = await Promise.all(engines);
  goOnUnlessStopped(shutdown);
  const metrics = new Registry();
  const { log: opened, local } = await openLog(configuration, folder, metrics, logger, shutdown);
  const log = watchLog(opened);

  const { limits, placements } = await openStores(configuration, folder, logger, shutdown);
  const { uploads, addRoutes } = await startUploads(configuration, folder, secrets.uploads, shutdown);

  await watchStores(configuration, { folder, database, stats, log: local }, logger, shutdown);

  const management = await openManagement(
    configuration,
    { database, stats, limits, placements, uploads, secrets, files: folder },
    metrics,
    logger,
    shutdown,
  );
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
      rotationSecret: secrets.rotation,
      publicUrl,
      onWarning: (message, error) => logger.warn({ err: error }, message),
    }),
    { prefix: "/v1" },
  );
  await pages;
  await management.addRoutes(app);
  await addRoutes(app);
  registerHealth(app, {
    logger,
    shutdown,
    metrics,
    metricsFor: "inside",
    checks: [
      { name: "database", check: async () => database.ping().then(() => true) },
      { name: "stats store", check: () => stats.ping() },
      { name: "uploads", check: () => uploads.ping() },
    ],
    watched: watchTracking(log, limits, metrics),
    functions: {
      ads: [],
      tracking: TRACKING_NEEDS,
      management: ["database"],
      stats: ["database", "stats store"],
    },
    notes: management.notes,
  });

  const ingestion = await startIngestion({ log, store: stats, logger, registry: metrics });
  shutdown.onRelease("ingestion", () => ingestion.close());
  // Nobody else uses a Postgres of our own; in another one the processes that live are told apart (`jobs/presence.ts`).
  if (configuration.databaseUrl === undefined) await unlockJobs(database.pool);
  await management.startJobs();
  const origin = await listen(app, configuration, shutdown);
  management.deliverWebhooksTo(origin);
  goOnUnlessStopped(shutdown);

  const isSeeded = configuration.seed === "demo" && configuration.stripe === null;
  const signIn = demoSignIn(secrets.sessions);
  return { demo: isSeeded ? await seedDemo(management.services, origin, signIn) : null };
}
