import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import type { Database } from "#libs/database/connection.ts";
import type { Limits } from "#libs/limits/index.ts";
import { createSmtpMail, openOutbox } from "#libs/mail/index.ts";
import { type Sandbox, startSandbox } from "#libs/payment-sandbox/index.ts";
import { createPayments } from "#libs/payments/index.ts";
import type { Placements } from "#libs/placements/index.ts";
import { isLoopback, type Secrets, using } from "#libs/process/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { openPeople } from "../accounts/people/people.ts";
import { correctedStats } from "../ads/corrections/corrected-stats.ts";
import { type CheckoutLimits, checkoutRates } from "../api/address-limit.ts";
import { createSeals } from "../api/seals.ts";
import { createUnsubscribeTokens } from "../mail/unsubscribe.ts";
import { fetchApart } from "../media/apart/fetch-apart.ts";
import { queueAdoption } from "../media/image-copies/adopt.ts";
import { enqueue } from "../queue/enqueue.ts";
import { startJobs } from "../worker/jobs.ts";
import type { ManagementConfiguration } from "./configuration.ts";
import { managementRoutes } from "./server.ts";
import type { Services } from "./services.ts";

const SANDBOX_NOTE = "payments are a sandbox: no money moves";

/** The part of the configuration that standalone has too. */
export type ManagementTerms = Pick<
  ManagementConfiguration,
  | "publicUrl"
  | "stripe"
  | "applicationFeePercent"
  | "connect"
  | "trialDays"
  | "impressionsPerMinute"
  | "clicksPerMinute"
  | "workspacesPerPerson"
  | keyof CheckoutLimits
  | "signUp"
  | "auditRetentionDays"
  | "checkoutSessionRetentionDays"
  | "moneyRecordYears"
  | "uploadQuotaBytes"
  | "smtpUrl"
  | "mailFrom"
  | "slowRequestMs"
>;

/** The engines and files of management, opened and closed by its caller. */
export interface ManagementParts {
  readonly database: Database;
  readonly stats: StatsStore;
  readonly limits: Limits;
  readonly placements: Placements;
  readonly uploads: Uploads;
  readonly secrets: Secrets;
  /** The sandbox's state, and the folder of emails if there is no mail server. */
  readonly files: { readonly sandbox: string; readonly outbox: string };
}

export interface Management {
  readonly services: Services;
  /** Shown by `/readyz` beside its checks. */
  readonly notes: readonly string[];
  addRoutes(app: FastifyInstance): Promise<void>;
  startJobs(): Promise<void>;
  /** Sets the origin to which the sandbox, if there is one, delivers webhooks. */
  deliverWebhooksTo(origin: string): void;
}

/** Composes management. `shutdown` closes everything that this opens. Throws `StartError` for settings that cannot work. */
export async function openManagement(
  terms: ManagementTerms,
  parts: ManagementParts,
  metrics: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Management> {
  const { database, secrets, limits } = parts;
  const { publicUrl } = terms;
  const sandbox = terms.stripe === null ? await openSandbox(publicUrl, parts, logger, shutdown) : null;
  const fetching = fetchApart({
    contact: publicUrl.href,
    maxImageBytes: parts.uploads.maxBytes,
    onWarning: (message) => logger.warn(message),
  });
  shutdown.onRelease("the thread that fetches", () => fetching.close());
  const services: Services = {
    db: database.db,
    memberDb: database.sharedDb,
    people: openPeople({
      db: database.db,
      secrets: secrets.sessions,
      publicUrl,
      limits,
      verifyEmail: terms.smtpUrl !== undefined,
      signUp: terms.signUp ?? (isLoopback(publicUrl.hostname) ? "open" : "invited"),
      logger,
    }),
    mail: await openMail(terms, parts.files.outbox, logger, shutdown),
    unsubscribeTokens: createUnsubscribeTokens(secrets.sessions),
    reportSeals: createSeals(secrets.sessions, "links to reports"),
    stats: correctedStats(parts.stats, database.db),
    payments: createPayments({
      ...(terms.stripe ?? {
        secretKey: secrets.sandboxKey,
        webhookSecret: [...secrets.sandboxWebhooks],
        ...(sandbox === null
          ? {}
          : { host: sandbox.host, port: sandbox.port, protocol: "http", clockAhead: sandbox.clockAhead }),
      }),
      applicationFeePercent: terms.applicationFeePercent,
    }),
    sales: {
      isSandbox: sandbox !== null,
      trialDays: terms.trialDays === 0 ? null : terms.trialDays,
      connect: terms.connect,
    },
    limits,
    usualLimits: {
      impressionsPerMinute: terms.impressionsPerMinute,
      clicksPerMinute: terms.clicksPerMinute,
    },
    retention: {
      auditDays: terms.auditRetentionDays,
      checkoutSessionDays: terms.checkoutSessionRetentionDays,
      moneyRecordYears: terms.moneyRecordYears,
    },
    workspacesPerPerson: terms.workspacesPerPerson,
    checkoutRates: checkoutRates(terms),
    uploads: parts.uploads,
    uploadQuotaBytes: terms.uploadQuotaBytes,
    favicons: fetching.favicons,
    images: fetching.images,
    logger,
    slowRequestMs: terms.slowRequestMs,
    metrics,
    publicUrl,
    now: Date.now,
  };
  const renewed = await services.people.renewSecondFactors();
  if (renewed > 0)
    logger.info({ people: renewed }, "second factors are encrypted under the first SECRET_KEY now");
  return {
    services,
    notes: sandbox === null ? [] : [SANDBOX_NOTE],
    async addRoutes(app) {
      await app.register(async (scope) => managementRoutes(scope, services));
      if (sandbox !== null) await app.register(sandbox.pages);
    },
    async startJobs() {
      await queueAdoption(services.db);
      await enqueue(services.db, "fill-quarter", { isWhole: true });
      const jobs = await startJobs(services, database.pool, parts.placements);
      shutdown.onRelease("the jobs", () => jobs.close());
    },
    deliverWebhooksTo: (origin) => sandbox?.deliverTo(`${origin}/v1/webhooks/stripe`),
  };
}

async function openSandbox(
  publicUrl: URL,
  { secrets, files }: ManagementParts,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Sandbox> {
  const sandbox = await startSandbox({
    stateFile: files.sandbox,
    secretKey: secrets.sandboxKey,
    webhookSecret: secrets.sandboxWebhooks[0],
    publicUrl,
    logger,
  });
  shutdown.onRelease("the payment sandbox", () => sandbox.close());
  return sandbox;
}

async function openMail(
  { smtpUrl, mailFrom: from }: ManagementTerms,
  folder: string,
  logger: Logger,
  shutdown: Shutdown,
) {
  const mail =
    smtpUrl === undefined
      ? await using(`The folder ${folder}`, () => openOutbox({ folder, from, logger }))
      : createSmtpMail({ url: smtpUrl, from });
  shutdown.onRelease("mail", () => mail.close());
  return mail;
}
