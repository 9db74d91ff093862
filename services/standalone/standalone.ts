import type { Logger } from "pino";
import { Registry } from "prom-client";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { createFavicons } from "#libs/favicon/index.ts";
import { createServer, registerHealth, type Shutdown } from "#libs/http/index.ts";
import { createSmtpMail, openOutbox } from "#libs/mail/index.ts";
import { createPayments, startSandbox } from "#libs/payments/index.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { startIngestion } from "../ingestion/worker.ts";
import { startJobs, unlockJobs } from "../management/jobs/jobs.ts";
import { createUnsubscribeTokens } from "../management/mails/unsubscribe/token.ts";
import { openPeople } from "../management/people/people.ts";
import { managementRoutes } from "../management/server.ts";
import type { Services } from "../management/services.ts";
import { servingRoutes } from "../serving/routes.ts";
import type { Configuration } from "./configuration.ts";
import { openDataFolder } from "./data-folder.ts";
import { startDatabase, startStats } from "./engines.ts";
import { listen } from "./listen.ts";
import { openSecrets } from "./secrets.ts";
import { type Demo, seedDemo } from "./seed/demo.ts";
import { StartError, using } from "./start-error.ts";
import { openStores } from "./stores.ts";
import { startUploads } from "./uploads.ts";

const SANDBOX_NOTE = "payments are a sandbox: no money moves";

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
  const folder = openDataFolder(configuration.dataDir);
  shutdown.onRelease("the data folder", () => folder.release());
  const secrets = openSecrets(folder.secrets);

  const engines = [
    startDatabase(configuration, folder, logger, shutdown),
    startStats(configuration, folder, logger, shutdown),
  ] as const;
  // When one fails the other is waited for all the same: it could not be ended before it has started.
  await Promise.allSettled(engines);
  const [database, stats] = await Promise.all(engines);
  goOnUnlessStopped(shutdown);
  const log = await openLocalEventLog({
    file: folder.eventLog,
    onWarning: (message) => logger.warn(message),
  });
  shutdown.onRelease("the event log", () => log.close());

  const { limits, placements } = await openStores(configuration, folder, logger, shutdown);
  const { uploads, addRoutes } = await startUploads(configuration, folder, secrets.uploads, shutdown);

  const sandbox =
    configuration.stripe === null
      ? await startSandbox({
          stateFile: folder.sandbox,
          secretKey: secrets.sandboxKey,
          webhookSecret: secrets.sandboxWebhooks,
          publicUrl,
          logger,
        })
      : null;
  if (sandbox !== null) shutdown.onRelease("the payment sandbox", () => sandbox.close());
  const payments = createPayments({
    ...(configuration.stripe ?? {
      secretKey: secrets.sandboxKey,
      webhookSecret: secrets.sandboxWebhooks,
      ...(sandbox === null ? {} : { host: sandbox.host, port: sandbox.port, protocol: "http" }),
    }),
    applicationFeePercent: configuration.applicationFeePercent,
  });

  const { smtpUrl, mailFrom: from } = configuration;
  const mail =
    smtpUrl === undefined
      ? await using(`The folder ${folder.outbox}`, () => openOutbox({ folder: folder.outbox, from, logger }))
      : createSmtpMail({ url: smtpUrl, from });
  shutdown.onRelease("mail", () => mail.close());

  const metrics = new Registry();
  const services: Services = {
    db: database.db,
    people: openPeople({
      db: database.db,
      secret: secrets.sessions,
      publicUrl,
      limits,
      verifyEmail: configuration.smtpUrl !== undefined,
      logger,
    }),
    mail,
    unsubscribeTokens: createUnsubscribeTokens(secrets.sessions),
    stats,
    payments,
    sales: {
      trialDays: configuration.trialDays === 0 ? null : configuration.trialDays,
      connect: configuration.connect,
    },
    limits,
    uploads,
    favicons: createFavicons({ contact: publicUrl }),
    logger,
    metrics,
    publicUrl,
    now: Date.now,
  };
  const app = createServer({
    logger,
    publicUrl,
    trustProxy: configuration.trustProxy,
    ...(configuration.tls === undefined ? {} : { tls: configuration.tls }),
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
  await app.register(async (scope) => managementRoutes(scope, services));
  await addRoutes(app);
  if (sandbox !== null) await app.register(sandbox.pages);
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
    ...(sandbox === null ? {} : { notes: [SANDBOX_NOTE] }),
  });

  const ingestion = await startIngestion({ log, store: stats, logger, registry: metrics });
  shutdown.onRelease("ingestion", () => ingestion.close());
  await unlockJobs(database.pool);
  const jobs = await startJobs(services, database.pool, placements);
  shutdown.onRelease("the jobs", () => jobs.close());
  const origin = await listen(app, configuration, shutdown);
  sandbox?.deliverTo(`${origin}/v1/webhooks/stripe`);
  goOnUnlessStopped(shutdown);

  const demo = configuration.seed === "demo" && sandbox !== null ? await seedDemo(services, origin) : null;
  return { demo };
}

function goOnUnlessStopped(shutdown: Shutdown): void {
  if (shutdown.started) throw new StartError("It was told to stop while it started.");
}
