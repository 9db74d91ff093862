import { hash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll } from "vitest";
import type { SignUp } from "#libs/config/index.ts";
import { createTestDatabase, type TestDatabase } from "#libs/database/testing.ts";
import type { Favicons } from "#libs/favicon/index.ts";
import type { ImageFetcher } from "#libs/guarded-fetch/index.ts";
import { createServer } from "#libs/http/index.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { createMemoryLimits, type RateRule, type RateVerdict } from "#libs/limits/index.ts";
import { openOutbox } from "#libs/mail/index.ts";
import { type ReadMail, readMail } from "#libs/mail/testing.ts";
import { type Sandbox, startSandbox } from "#libs/payment-sandbox/index.ts";
import { createPayments } from "#libs/payments/index.ts";
import { createMemoryPlacements, type Placements } from "#libs/placements/index.ts";
import { freePort } from "#libs/process/ports.ts";
import { createStatsStore, type StatsStore } from "#libs/stats-store/index.ts";
import { createTestStatsStore } from "#libs/stats-store/testing.ts";
import { openDiskUploads, registerDiskUploads } from "#libs/uploads/index.ts";
import type { Passwords } from "../accounts/people/passwords.ts";
import { openPeople } from "../accounts/people/people.ts";
import { correctedStats } from "../ads/corrections/corrected-stats.ts";
import { checkoutRates } from "../api/address-limit.ts";
import { createSeals } from "../api/seals.ts";
import { createUnsubscribeTokens } from "../mail/unsubscribe.ts";
import { managementRoutes } from "../start/server.ts";
import type { Services } from "../start/services.ts";
import { startJobs } from "../worker/jobs.ts";
import { openProcessor, type Processor, SECRET_KEY, WEBHOOK_SECRET } from "./processor.ts";

export interface ManagementUnderTest {
  readonly origin: string;
  readonly database: TestDatabase;
  readonly services: Services;
  /** What serving would be told. */
  readonly placements: Placements;
  readonly sandbox: Sandbox;
  /** The payment processor, as the service reaches it and as others do. */
  readonly processor: Processor;
  /** With webhooks by hand: lets the sandbox send them there. */
  deliverWebhooksTo(url: string): void;
  /** The folder that mail ends in. */
  readonly outbox: string;
  /** Every mail that has been sent so far, oldest first. */
  readMails(): Promise<ReadMail[]>;
  /** Every route of the server, in the order of registration. */
  readonly routes: readonly MountedRoute[];
  /** Where the payment sandbox answers the service, without the way that a test can close. */
  readonly sandboxApi: string;
}

/** A route as the server knows it: `:name` is a parameter, a closing `*` is the rest of the path. */
export interface MountedRoute {
  readonly method: string;
  readonly url: string;
}

export interface ManagementOptions {
  /** `real`: an embedded ClickHouse. `away` (default): nothing answers, as when the engine is down. */
  readonly stats?: "real" | "away";
  /** Lets every caller through, for files that send more than any limit allows. */
  readonly unlimited?: boolean;
  /** `by hand`: the sandbox sends no webhooks, so that a test can choose which arrive when. */
  readonly webhooks?: "delivered" | "by hand";
  /** Stands in for the wall clock. */
  readonly now?: () => number;
  /** Default 20. */
  readonly workspacesPerPerson?: number;
  /** As where a mail server is configured: an address is verified before the first sign-in. Default false. */
  readonly verifyEmail?: boolean;
  /** Who may sign up, once there is somebody. Default open. */
  readonly signUp?: SignUp;
  /** As in production; tests of anything else sign people up in no time. Default false. */
  readonly keepsPasswordsWell?: boolean;
  /** On what terms placements are sold. Default: no trial, in the platform's own account. */
  readonly sales?: Partial<Services["sales"]>;
  /** Stands behind a proxy that says who calls, in `X-Forwarded-For`. Default false. */
  readonly behindProxy?: boolean;
  /** Finds icons of sites. Default: no site has one, and nothing is asked. */
  readonly favicons?: Favicons;
  /** Fetches images from elsewhere. Default: there are none, and nothing is asked. */
  readonly images?: ImageFetcher;
  /** How long the service waits for an answer of the processor, in milliseconds. Default 10,000. */
  readonly processorTimeoutMs?: number;
  /** What the uploads of one workspace may take. Default 1 GiB. */
  readonly uploadQuotaBytes?: number;
  /** The share of its file system that the folder of uploads has free, from 0 to 1. Default: what is so. */
  readonly freeShare?: () => number;
  /** The secret of its sessions and links, and older ones. Default: one, the same for all. */
  readonly secrets?: KeyRing;
  /** Whether it takes jobs. Default true; of many processes on one database some must not, as they share its connections. */
  readonly hasJobs?: boolean;
  /** Makes this a second process of that one's installation: on its database, with its mail and its processor. */
  readonly beside?: Pick<ManagementUnderTest, "database" | "outbox" | "sandbox">;
}

/** Told from each other, and nothing more. */
const QUICK_PASSWORDS: Passwords = {
  hash: async (password) => hash("sha256", password),
  verify: async ({ hash: kept, password }) => kept === hash("sha256", password),
};

/**
 * The whole management service for one test file, on real parts: a database of its own, the payment sandbox with its
 * webhooks, jobs, uploads on disk, real HTTP. Call it at the top of the file; it is taken down after the last test.
 */
export async function startManagement(options: ManagementOptions = {}): Promise<ManagementUnderTest> {
  const database = options.beside?.database ?? (await createTestDatabase());
  const stats = await openStats(options.stats ?? "away");
  const folder = await mkdtemp(join(tmpdir(), "placard-management-"));
  const releases: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  afterAll(async () => {
    for (const release of releases.reverse()) await release();
  });

  const logger = pino({ level: "silent" });
  const port = await freePort();
  const publicUrl = new URL(`http://127.0.0.1:${port}`);
  const secret = "a-secret-of-more-than-thirty-two-characters";
  const ownSandbox = async () => {
    const started = await startSandbox({
      stateFile: join(folder, "sandbox.db"),
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      publicUrl,
      logger,
      ...(options.webhooks === "by hand" ? {} : { webhookUrl: `${publicUrl.origin}/v1/webhooks/stripe` }),
    });
    releases.push(() => started.close());
    return started;
  };
  const sandbox = options.beside?.sandbox ?? (await ownSandbox());
  const processor = await openProcessor(sandbox);
  releases.push(() => processor.close());
  const limits = createMemoryLimits();
  releases.push(() => limits.close());
  const uploads = await openDiskUploads({
    folder: join(folder, "uploads"),
    secret,
    publicUrl,
    maxBytes: 1_000_000,
    ...(options.freeShare === undefined ? {} : { freeShare: async () => options.freeShare?.() ?? 1 }),
  });

  const outbox = options.beside?.outbox ?? join(folder, "outbox");
  const services: Services = {
    db: database.db,
    memberDb: database.sharedDb,
    people: openPeople({
      db: database.db,
      secrets: options.secrets ?? [secret],
      publicUrl,
      limits,
      verifyEmail: options.verifyEmail ?? false,
      signUp: options.signUp ?? "open",
      passwords: options.keepsPasswordsWell === true ? undefined : QUICK_PASSWORDS,
      logger,
    }),
    unsubscribeTokens: createUnsubscribeTokens(options.secrets ?? [secret]),
    reportSeals: createSeals(options.secrets ?? [secret], "links to reports"),
    mail: await openOutbox({ folder: outbox, from: "Placard <placard@example.org>", logger }),
    stats: correctedStats(stats, database.db),
    payments: createPayments({
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      host: processor.host,
      port: processor.port,
      protocol: "http",
      clockAhead: sandbox.clockAhead,
      retries: 0,
      timeoutMs: options.processorTimeoutMs ?? 10_000,
    }),
    sales: { isSandbox: true, trialDays: null, connect: false, ...options.sales },
    usualLimits: { impressionsPerMinute: 30, clicksPerMinute: 10 },
    retention: { auditDays: 730, checkoutSessionDays: 30, moneyRecordYears: 10 },
    limits: options.unlimited === true ? { ...limits, consume: letThrough } : limits,
    checkoutRates: checkoutRates({
      checkoutsPerMinute: 20,
      checkoutReadsPerMinute: 120,
      submissionsPerMinute: 60,
    }),
    workspacesPerPerson: options.workspacesPerPerson ?? 20,
    uploads,
    uploadQuotaBytes: options.uploadQuotaBytes ?? 1024 ** 3,
    images: options.images ?? { fetch: async () => ({ kind: "unusable", reason: "No site has one." }) },
    favicons: options.favicons ?? { find: async () => ({ kind: "none", reason: "no site has one" }) },
    logger,
    slowRequestMs: 1_000,
    metrics: new Registry(),
    publicUrl,
    now: options.now ?? Date.now,
  };
  const placements = createMemoryPlacements();
  const app = createServer({
    logger,
    publicUrl,
    trustProxy: options.behindProxy === true ? ["127.0.0.1"] : false,
  });
  const routes: MountedRoute[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  await app.register(async (scope) => managementRoutes(scope, services));
  await app.register(sandbox.pages);
  await registerDiskUploads(app, { uploads });
  // What the hour brings must not come in between what a test does.
  if (options.hasJobs !== false) {
    const jobs = await startJobs(services, database.pool, placements, { hasSchedule: false });
    releases.push(() => jobs.close());
  }
  await app.listen({ host: "127.0.0.1", port });
  releases.push(async () => {
    // The tests' own idle connections: a server waits for their next request before it cuts them.
    app.server.closeIdleConnections();
    await app.close();
  });
  return {
    origin: publicUrl.origin,
    database,
    services,
    placements,
    outbox,
    sandbox,
    processor,
    deliverWebhooksTo: (url) => sandbox.deliverTo(url),
    readMails: () => readMails(outbox),
    routes,
    sandboxApi: `http://${sandbox.host}:${sandbox.port}`,
  };
}

async function letThrough({ points }: RateRule): Promise<RateVerdict> {
  return { allowed: true, limit: points, remaining: points, resetMs: 60_000 };
}

async function readMails(outbox: string): Promise<ReadMail[]> {
  const names = (await readdir(outbox)).filter((name) => name.endsWith(".eml")).toSorted();
  return await Promise.all(names.map(async (name) => readMail(await readFile(join(outbox, name), "utf8"))));
}

async function openStats(kind: "real" | "away"): Promise<StatsStore> {
  if (kind === "real") return await createTestStatsStore();
  const away = { url: "http://127.0.0.1:1", username: "nobody", password: "", database: "placard" };
  return createStatsStore({ ...away, requestTimeoutMs: 500 });
}
