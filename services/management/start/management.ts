import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { migrate } from "#libs/database/index.ts";
import {
  clickhouseAccess,
  migrateStats,
  openPostgres,
  openSharedStores,
  openStats,
  trackingLimits,
} from "#libs/engines/index.ts";
import { makeFolderDurably } from "#libs/files/index.ts";
import { createServer, registerHealth, type Shutdown } from "#libs/http/index.ts";
import { deriveSecrets, goOnUnlessStopped, listen, using } from "#libs/process/index.ts";
import { createS3Uploads } from "#libs/uploads/index.ts";
import { queueComparison } from "../serving-feed/comparison.ts";
import type { ManagementConfiguration } from "./configuration.ts";
import { openManagement } from "./open.ts";

/** Enough for requests, for the jobs, and for what the jobs are woken by. None is held while the processor is asked. */
const CONNECTIONS = 20;

/** Tracking is judged by serving alone. */
const NO_TRACKING = { impressionsPerMinute: 0, clicksPerMinute: 0 };

/**
 * Starts management as a service of its own. Postgres has to be there, and is brought to the schema that this program
 * needs; everything else may come later.
 */
export async function startManagement(
  configuration: ManagementConfiguration,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const { publicUrl } = configuration;
  const database = openPostgres(
    configuration.databaseUrl,
    { ...configuration, usualPoolSize: CONNECTIONS, name: "placard management" },
    logger,
    shutdown,
  );
  await migrate(database, { logger });
  const stats = openStats(clickhouseAccess(configuration), configuration, shutdown);
  migrateStats(stats, logger, shutdown);
  const { redis, limits, placements } = await openSharedStores(
    configuration,
    trackingLimits(NO_TRACKING),
    logger,
    shutdown,
  );
  const uploads = createS3Uploads({ ...configuration.bucket, maxBytes: configuration.uploadMaxBytes });
  shutdown.onRelease("uploads", () => uploads.close());
  goOnUnlessStopped(shutdown);

  const metrics = new Registry();
  const management = await openManagement(
    configuration,
    {
      database,
      stats,
      limits,
      placements,
      uploads,
      secrets: deriveSecrets(configuration.secretKey),
      files: await chooseFiles(configuration),
    },
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
  await management.addRoutes(app);
  registerHealth(app, {
    logger,
    shutdown,
    metrics,
    metricsFor: "inside",
    checks: [{ name: "database", check: async () => database.ping().then(() => true) }],
    watched: [
      { name: "stats store", check: () => stats.ping() },
      { name: "uploads", check: () => uploads.ping() },
    ],
    notes: management.notes,
  });
  await management.startJobs();
  // It may have lost what was written to it last.
  redis.on("ready", () => {
    queueComparison(database.db).catch((error) =>
      logger.warn({ err: error }, "snapshots are compared later"),
    );
  });
  const origin = await listen(app, configuration, shutdown);
  management.deliverWebhooksTo(origin);
}

/** The folder is made only where something is written to it. */
async function chooseFiles({ dataDir, stripe, smtpUrl }: ManagementConfiguration) {
  const folder = resolve(dataDir);
  if (stripe === null || smtpUrl === undefined) {
    await using(`The folder ${folder} (DATA_DIR)`, () => makeFolderDurably(folder));
  }
  return { sandbox: join(folder, "sandbox.db"), outbox: join(folder, "outbox") };
}
