import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import { migrate } from "#libs/database/migrate.ts";
import { measurePool } from "#libs/database/pool-metrics.ts";
import {
  clickhouseAccess,
  migrateStats,
  openPostgres,
  openSharedStores,
  openStats,
} from "#libs/engines/index.ts";
import { makeFolderDurably } from "#libs/files/index.ts";
import { createServer, registerHealth } from "#libs/http/index.ts";
import { continueUnlessStopped, deriveSecrets, listen, measureProcess, using } from "#libs/process/index.ts";
import { createS3Uploads } from "#libs/uploads/index.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { ManagementConfiguration } from "./configuration.ts";
import { openManagement } from "./open.ts";
import { setUpLines } from "./set-up-lines.ts";

/** For requests, jobs and their notifications. No request to the payment processor holds one. */
const CONNECTIONS = 24;

/** Starts management as a service of its own. Needs Postgres, which it migrates; other engines may become available later. */
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
  await migrate(database, { logger, acceptNewer: true });
  const stats = openStats(clickhouseAccess(configuration), configuration, shutdown);
  migrateStats(stats, logger, shutdown);
  const { redis, limits, placements } = await openSharedStores(configuration, logger, shutdown);
  const uploads = createS3Uploads({ ...configuration.bucket, maxBytes: configuration.uploadMaxBytes });
  shutdown.onRelease("uploads", () => uploads.close());
  continueUnlessStopped(shutdown);

  const metrics = new Registry();
  measureProcess(metrics, "management");
  measurePool(database.pool, metrics);
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
    trustProxy: configuration.trustProxy ?? false,
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
  // Redis may have lost its last writes.
  redis.on("ready", () => {
    enqueue(database.db, "compare-snapshots", {}).catch((error) =>
      logger.warn({ err: error }, "could not queue the comparison of snapshots"),
    );
  });
  const origin = await listen(app, configuration, shutdown);
  management.deliverWebhooksTo(origin);
  const setUpLink = await management.services.people.createSetUpLink();
  if (setUpLink !== null) process.stdout.write(`${setUpLines(setUpLink).join("\n")}\n`);
}

/** Creates the folder only if the sandbox or the outbox writes to it. */
async function chooseFiles({ dataDir, stripe, smtpUrl }: ManagementConfiguration) {
  const folder = resolve(dataDir);
  if (stripe === null || smtpUrl === undefined) {
    await using(`The folder ${folder} (DATA_DIR)`, () => makeFolderDurably(folder));
  }
  return { sandbox: join(folder, "sandbox.db"), outbox: join(folder, "outbox") };
}
