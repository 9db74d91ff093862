import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import { measurePool } from "#libs/database/pool-metrics.ts";
import { trackingLimits } from "#libs/domain/tracking-limits.ts";
import { measureBacklog, watchLog } from "#libs/event-log/index.ts";
import { createServer, registerHealth } from "#libs/http/index.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { continueUnlessStopped, listen, measureProcess } from "#libs/process/index.ts";
import { type Ingestion, startIngestion } from "../ingestion/worker.ts";
import { openManagement } from "../management/start/open.ts";
import { unlockJobs } from "../management/worker/jobs.ts";
import { TRACKING_NEEDS, watchTracking } from "../serving/record/tracking-health.ts";
import { openOperatorFiles } from "../serving/start/operator-files.ts";
import { servingRoutes } from "../serving/start/routes.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";
import { openDatabase, openLog, openStatsStore, openStores } from "./open-stores.ts";
import type { OwnEngines } from "./own-engines.ts";
import { buildPagesOnce } from "./pages.ts";
import { keepReserve } from "./reserve.ts";
import type { InstallationSecrets } from "./secrets.ts";
import { type Demo, seedDemo } from "./seed/demo.ts";
import { demoSignIn } from "./seed/demo-sign-in.ts";
import { startUploads } from "./uploads.ts";
import { watchStores } from "./watch-stores.ts";

/** What is opened before the rest of the program is loaded. */
interface Opened {
  readonly folder: DataFolder;
  readonly secrets: InstallationSecrets;
  readonly own: OwnEngines;
}

/**
 * Starts every part of an installation in this process, in the order in which they need each other.
 * Resolves once the server accepts requests. `demo` describes the seeded workspace, or the one found from an earlier start;
 * `setUpLink` creates the first account, where somebody has to.
 */
export async function startStandalone(
  configuration: Configuration,
  { folder, secrets, own }: Opened,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ demo: Demo | null; setUpLink: string | null }> {
  const { publicUrl } = configuration;
  const engines = [
    openDatabase(configuration, own, logger, shutdown),
    openStatsStore(configuration, own, logger, shutdown),
  ] as const;
  const pages = buildPagesOnce(logger, shutdown);
  // If one fails, still wait for the other: it cannot be stopped before it has started.
  await Promise.allSettled(engines);
  const [database, stats] = await Promise.all(engines);
  continueUnlessStopped(shutdown);
  const metrics = new Registry();
  measureProcess(metrics, "standalone");
  measurePool(database.pool, metrics);
  const { log: opened, local } = await openLog(configuration, folder, metrics, logger, shutdown);
  const log = watchLog(opened);
  measureBacklog(log, metrics);

  const { limits, placements, judge, saltsFolder } = await openStores(
    configuration,
    folder,
    logger,
    shutdown,
  );
  const operatorFiles = await openOperatorFiles(configuration, metrics, logger, shutdown);
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
    trustProxy: configuration.trustProxy ?? false,
    tls: configuration.tls,
  });
  await app.register(
    servingRoutes({
      placements,
      source: createSnapshotSource(database.db),
      tracking: trackingLimits(configuration),
      limits,
      saltsFolder,
      log,
      ...operatorFiles,
      registry: metrics,
      rotationSecret: secrets.rotation,
      proofSecrets: secrets.proofs,
      proofValidMinutes: configuration.proofValidMinutes,
      countryHeader: configuration.countryHeader,
      serverEventsPerMinute: configuration.serverEventsPerMinute,
      slowRequestMs: configuration.slowRequestMs,
      publicUrl,
      onWarning: (message, error) => logger.warn({ err: error }, message),
    }),
    { prefix: "/v1" },
  );
  await pages;
  await management.addRoutes(app);
  await addRoutes(app);
  let ingestion: Ingestion | null = null;
  registerHealth(app, {
    logger,
    shutdown,
    metrics,
    metricsFor: "inside",
    // Ads are served from memory. Without the others this process still counts every event, so they take no requests away from it.
    checks: [watchTracking(log, metrics)],
    watched: [
      { name: "database", check: async () => database.ping().then(() => true) },
      { name: "stats store", check: () => stats.ping() },
      { name: "ingestion", check: async () => ingestion?.isBlocked() === false },
      { name: "uploads", check: () => uploads.ping() },
    ],
    functions: {
      ads: [],
      tracking: TRACKING_NEEDS,
      management: ["database"],
      stats: ["database", "stats store", "ingestion"],
    },
    notes: management.notes,
  });

  const started = await startIngestion({ log, store: stats, judge, logger, registry: metrics });
  shutdown.onRelease("ingestion", () => started.close());
  ingestion = started;
  // Nobody else uses the embedded Postgres, so its locks are stale. In a shared one `worker/` finds the live processes.
  if (configuration.databaseUrl === undefined) await unlockJobs(database.pool);
  await management.startJobs();
  const origin = await listen(app, configuration, shutdown);
  management.deliverWebhooksTo(origin);
  continueUnlessStopped(shutdown);
  shutdown.onRelease("the reserve", keepReserve(folder.reserve));

  const isSeeded = configuration.seed === "demo" && configuration.stripe === null;
  const signIn = demoSignIn(secrets.sessions[0]);
  const demo = isSeeded
    ? await seedDemo(management.services, { origin, sandboxKey: secrets.sandboxKey }, signIn)
    : null;
  return { demo, setUpLink: await management.services.people.createSetUpLink() };
}
