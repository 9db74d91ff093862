import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Logger, pino } from "pino";
import { Registry } from "prom-client";
import { EVENT_COLUMNS } from "#libs/domain/event.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import { type EventLog, openLocalEventLog } from "#libs/event-log/index.ts";
import { createServer } from "#libs/http/index.ts";
import { createMemoryJudge, eventsOf, judgedRows, readLines } from "#libs/judge/index.ts";
import { createMemoryLimits, type Limits } from "#libs/limits/index.ts";
import { createMemoryPlacements, type Placements, type Snapshot } from "#libs/placements/index.ts";
import { type Countries, NO_COUNTRIES } from "../countries/country-table.ts";
import { type Networks, NO_NETWORKS } from "../networks/network-table.ts";
import { servingRoutes } from "../start/routes.ts";
import { createUserAgents, type UserAgents } from "../verdict/user-agents.ts";
import { InMemorySource } from "./in-memory-source.ts";

/** A user agent that no rule takes for a bot's. */
export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const NO_LIMITS: TrackingLimits = {
  impressionsPerMinute: 0,
  clicksPerMinute: 0,
  impressionWindowMs: 0,
  clickWindowMs: 0,
};

export interface RigOptions {
  readonly snapshots?: readonly Snapshot[];
  readonly limits?: Partial<TrackingLimits>;
  readonly now?: () => number;
  readonly checkEveryMs?: number;
  readonly placements?: Placements;
  /** Instead of the local one; closed with the rig. */
  readonly log?: EventLog;
  /** None by default. */
  readonly blocked?: Networks;
  /** None by default. */
  readonly countries?: Countries;
  /** Default: without lists of the operator. */
  readonly userAgents?: UserAgents;
  /** No limit by default. */
  readonly serverEventsPerMinute?: number;
  readonly slowRequestMs?: number;
  readonly countryHeader?: string | undefined;
  /** This machine by default. */
  readonly trustProxy?: false;
  /** Silent by default. */
  readonly logger?: Logger;
}

/** The serving endpoints on a real server with the real local log, as a service would put them together. */
export interface ServingRig {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly placements: Placements;
  readonly source: InMemorySource;
  readonly log: EventLog;
  readonly limits: Limits;
  readonly registry: Registry;
  readonly warnings: string[];
  /** What is on disk: the rows of the log, by column, with the verdicts that ingestion gives them. */
  storedEvents(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openRig(options: RigOptions = {}): Promise<ServingRig> {
  const folder = await mkdtemp(join(tmpdir(), "serving-"));
  const log = options.log ?? (await openLocalEventLog({ file: join(folder, "events.db") }));
  const placements = options.placements ?? createMemoryPlacements();
  const source = new InMemorySource(options.snapshots ?? []);
  const limits = createMemoryLimits();
  const registry = new Registry();
  const warnings: string[] = [];
  const publicUrl = new URL("http://127.0.0.1");
  const app = createServer({
    logger: options.logger ?? pino({ level: "silent" }),
    trustProxy: options.trustProxy ?? ["127.0.0.1"],
    publicUrl,
  });
  const routes = servingRoutes({
    placements,
    source,
    tracking: { ...NO_LIMITS, ...options.limits },
    limits,
    log,
    blocked: options.blocked ?? NO_NETWORKS,
    countries: options.countries ?? NO_COUNTRIES,
    userAgents: options.userAgents ?? createUserAgents(),
    publicUrl,
    rotationSecret: "a secret for tests",
    proofSecrets: ["another secret for tests"],
    proofValidMinutes: 15,
    countryHeader: options.countryHeader,
    serverEventsPerMinute: options.serverEventsPerMinute ?? 0,
    registry,
    onWarning: (message) => warnings.push(message),
    ...(options.slowRequestMs === undefined ? {} : { slowRequestMs: options.slowRequestMs }),
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.checkEveryMs === undefined ? {} : { checkEveryMs: options.checkEveryMs }),
  });
  await app.register(routes, { prefix: "/v1" });
  // More than tests connect at once: Linux drops connections that wait too long for a busy process to take them.
  const origin = await app.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 });

  return {
    app,
    url: `${origin}/v1`,
    placements,
    source,
    log,
    limits,
    registry,
    warnings,
    storedEvents: () => readEvents(log),
    async close() {
      // The tests' own idle connections: a server waits for their next request before it cuts them.
      app.server.closeIdleConnections();
      await app.close();
      await log.close();
      await limits.close();
      await placements.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Reads and judges everything that the log holds, as ingestion would, without committing it. */
export async function readEvents(log: EventLog): Promise<Record<string, unknown>[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>[]>();
  const consumer = await log.consume(async (partition) => {
    try {
      const limits = { maxWaitMs: 0, lingerMs: 0, maxEvents: 1_000_000, maxBytes: 1_000_000_000 };
      const range = await partition.readNext(limits);
      const lines = await readLines(range?.batches ?? []);
      const { rows } = await judgedRows(
        lines,
        await createMemoryJudge().judge(eventsOf(lines), { origin: "log", first: 0n, name: "all" }),
      );
      resolve(rows.flatMap((row) => row.toString().trimEnd().split("\n")).map(asRecord));
    } catch (error) {
      reject(error);
    }
    if (!partition.signal.aborted)
      await new Promise((done) => partition.signal.addEventListener("abort", done));
  });
  try {
    return await promise;
  } finally {
    await consumer.close();
  }
}

function asRecord(line: string): Record<string, unknown> {
  const values: unknown[] = JSON.parse(line);
  return Object.fromEntries(EVENT_COLUMNS.map((column, index) => [column, values[index]]));
}
