import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { SignUp } from "#libs/config/index.ts";
import type { Database } from "#libs/database/index.ts";
import { createFavicons } from "#libs/favicon/index.ts";
import { createImageFetcher } from "#libs/guarded-fetch/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import { createSmtpMail, openOutbox } from "#libs/mail/index.ts";
import { createPayments, type Sandbox, startSandbox } from "#libs/payments/index.ts";
import type { Placements } from "#libs/placements/index.ts";
import { isLoopback, type Secrets, using } from "#libs/process/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { queueAdoption } from "../image-copies/adopt.ts";
import { startJobs } from "../jobs/jobs.ts";
import { createUnsubscribeTokens } from "../mails/unsubscribe/token.ts";
import { openPeople } from "../people/people.ts";
import { managementRoutes } from "../server.ts";
import type { Services } from "../services.ts";
import type { StripeAccess } from "./processor.ts";

const SANDBOX_NOTE = "payments are a sandbox: no money moves";

/** How management is set up, as far as it is the same in every installation. */
export interface ManagementTerms {
  readonly publicUrl: URL;
  /** Null for the sandbox. */
  readonly stripe: StripeAccess | null;
  readonly applicationFeePercent: number;
  readonly connect: boolean;
  readonly trialDays: number;
  /** As serving has them. */
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
  readonly workspacesPerPerson: number;
  /** Undefined for what suits the public address. */
  readonly signUp: SignUp | undefined;
  readonly auditRetentionDays: number;
  readonly checkoutSessionRetentionDays: number;
  readonly moneyRecordYears: number;
  readonly uploadQuotaBytes: number;
  /** Undefined for mails as files. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

/** What management works on, opened by its caller and closed by it. */
export interface ManagementParts {
  readonly database: Database;
  readonly stats: StatsStore;
  readonly limits: Limits;
  readonly placements: Placements;
  readonly uploads: Uploads;
  readonly secrets: Secrets;
  /** Where the sandbox keeps its state, and mails go without a server. Written to only then. */
  readonly files: { readonly sandbox: string; readonly outbox: string };
}

export interface Management {
  readonly services: Services;
  /** What `/readyz` says beside its checks. */
  readonly notes: readonly string[];
  addRoutes(app: FastifyInstance): Promise<void>;
  /** Begins with the jobs. */
  startJobs(): Promise<void>;
  /** Tells the sandbox, where there is one, at which origin this process answers. */
  deliverWebhooksTo(origin: string): void;
}

/** Puts management together; what it opens it pushes to `shutdown`. Throws `StartError` for what cannot be used. */
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
  const services: Services = {
    db: database.db,
    people: openPeople({
      db: database.db,
      secret: secrets.sessions,
      publicUrl,
      limits,
      verifyEmail: terms.smtpUrl !== undefined,
      signUp: terms.signUp ?? (isLoopback(publicUrl.hostname) ? "open" : "invited"),
      logger,
    }),
    mail: await openMail(terms, parts.files.outbox, logger, shutdown),
    unsubscribeTokens: createUnsubscribeTokens(secrets.sessions),
    stats: parts.stats,
    payments: createPayments({
      ...(terms.stripe ?? {
        secretKey: secrets.sandboxKey,
        webhookSecret: secrets.sandboxWebhooks,
        ...(sandbox === null ? {} : { host: sandbox.host, port: sandbox.port, protocol: "http" }),
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
    uploads: parts.uploads,
    uploadQuotaBytes: terms.uploadQuotaBytes,
    favicons: createFavicons({ contact: publicUrl }),
    images: createImageFetcher({ contact: publicUrl, maxBytes: parts.uploads.maxBytes }),
    logger,
    metrics,
    publicUrl,
    now: Date.now,
  };
  return {
    services,
    notes: sandbox === null ? [] : [SANDBOX_NOTE],
    async addRoutes(app) {
      await app.register(async (scope) => managementRoutes(scope, services));
      if (sandbox !== null) await app.register(sandbox.pages);
    },
    async startJobs() {
      await queueAdoption(services.db);
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
    webhookSecret: secrets.sandboxWebhooks,
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
