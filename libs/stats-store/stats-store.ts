import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import { selectBrokenParts } from "./broken-parts.ts";
import {
  selectCountedAds,
  selectDifferences,
  selectEventRetention,
  selectTotalsOfDay,
} from "./comparison.ts";
import { selectForgetfulTables } from "./deduplication-log.ts";
import { eraseRows } from "./erase.ts";
import { StatsStoreError } from "./errors.ts";
import { insertRows } from "./insert-range.ts";
import { insertNote, selectNote } from "./installation-note.ts";
import { isSchemaCurrent, makeDatabase, migrateSchema } from "./migrate.ts";
import type { StatsStore } from "./port.ts";
import {
  selectAudience,
  selectCountsByAd,
  selectCountsOfAds,
  selectDailyOfAd,
  selectDailyOfWorkspace,
  selectTrafficOfAd,
  selectTrafficOfWorkspace,
  selectVisitorsOfAd,
} from "./queries.ts";
import { rebuildDaily } from "./rebuild-day.ts";
import { toStatsStoreError } from "./refusal.ts";
import { selectStoredIds } from "./stored-ids.ts";

export interface StatsStoreOptions {
  /** Where ClickHouse's HTTP interface is, as `http://host:8123`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Made by `migrate()` where it does not exist. */
  readonly database: string;
  /** A call without an answer is given up after so many milliseconds; default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Connections at the same time; further calls wait. Default 10. */
  readonly maxConnections?: number;
  /** Raw events are dropped after so many days, whole months at a time; default 400. */
  readonly eventRetentionDays?: number;
  /** PEM file of the authority that signed the server's certificate, for an https `url`. Default: those that Node knows. */
  readonly caFile?: string;
  /** The cluster that all tables are made on, with Replicated engines; default null, the connected server alone. */
  readonly cluster?: string | null;
  /** Replicated engines without a cluster's name; default only with `cluster`. */
  readonly replicated?: boolean;
  /** Replicas that must have an insert before it counts; default `auto`, their majority. Only of Replicated engines. */
  readonly insertQuorum?: "auto" | number;
  /** Inserts whose tokens the tables remember; default 10,000. */
  readonly deduplicationWindow?: number;
}

/** A quorum that is not reached is to be heard of before the client gives the call up. */
const QUORUM_TIMEOUT_SHARE = 0.75;

/**
 * A stats store over ClickHouse's HTTP interface. Connects at the first call; every rejection is a `StatsStoreError`, and so
 * is what it throws for a `caFile` that cannot be read.
 */
export function createStatsStore(options: StatsStoreOptions): StatsStore {
  const { database, cluster = null, requestTimeoutMs = 30_000 } = options;
  const schema = {
    eventRetentionDays: options.eventRetentionDays ?? 400,
    deduplicationWindow: options.deduplicationWindow ?? 10_000,
    replicated: options.replicated === true || cluster !== null,
    cluster,
  };
  const connection = {
    url: options.url,
    username: options.username,
    password: options.password,
    request_timeout: requestTimeoutMs,
    max_open_connections: options.maxConnections ?? 10,
    log: { level: ClickHouseLogLevel.OFF },
    // Proxies take addresses of 8 KiB and less.
    use_multipart_params_auto: true,
    ...(options.caFile !== undefined && { tls: { ca_cert: readAuthority(options.caFile) } }),
  };
  const client = createClient({ ...connection, database });
  const insertSettings: ClickHouseSettings = {
    ...(schema.replicated && {
      insert_quorum: String(options.insertQuorum ?? "auto"),
      insert_quorum_timeout: Math.floor(requestTimeoutMs * QUORUM_TIMEOUT_SHARE),
    }),
  };

  async function migrate(): Promise<void> {
    // A request that names a database fails while there is none.
    const server = createClient(connection);
    try {
      await makeDatabase(server, database, schema);
    } finally {
      await server.close();
    }
    await migrateSchema(client, schema);
  }

  return {
    migrate: () => attempt("cannot set up the schema", migrate),
    isMigrated: () => attempt("cannot look at the schema", () => isSchemaCurrent(client, schema)),
    insertRange: (range) =>
      attempt(`cannot insert ${range.token}`, () => insertRows(client, range, insertSettings)),
    storedIds: (keys) =>
      attempt("cannot look for events", () => selectStoredIds(client, schema.replicated, keys)),
    dailyOfAd: (...of) => attempt("cannot read stats", () => selectDailyOfAd(client, ...of)),
    dailyOfWorkspace: (...of) => attempt("cannot read stats", () => selectDailyOfWorkspace(client, ...of)),
    countsByAd: (...of) => attempt("cannot read stats", () => selectCountsByAd(client, ...of)),
    countsOfAds: (...of) => attempt("cannot read stats", () => selectCountsOfAds(client, ...of)),
    trafficOfAd: (...of) => attempt("cannot read stats", () => selectTrafficOfAd(client, ...of)),
    trafficOfWorkspace: (...of) =>
      attempt("cannot read stats", () => selectTrafficOfWorkspace(client, ...of)),
    audienceOfWorkspace: (...of) => attempt("cannot read stats", () => selectAudience(client, ...of)),
    visitorsOfAd: (...of) => attempt("cannot read stats", () => selectVisitorsOfAd(client, ...of)),
    eraseWorkspace: (workspaceId) =>
      attempt("cannot erase a workspace", () => eraseRows(client, schema.replicated, workspaceId)),
    countDifferences: (...of) =>
      attempt("cannot compare counts", () => selectDifferences(client, schema.replicated, ...of)),
    countedAds: (...of) => attempt("cannot list ads", () => selectCountedAds(client, ...of)),
    eventRetentionDays: () => attempt("cannot look at the schema", () => selectEventRetention(client)),
    totalsOfDay: (day) =>
      attempt("cannot compare counts", () => selectTotalsOfDay(client, schema.replicated, day)),
    rebuildDaily: (day) =>
      attempt(`cannot rebuild ${day}`, () => rebuildDaily(client, schema.replicated, insertSettings, day)),
    brokenParts: () => attempt("cannot look for broken parts", () => selectBrokenParts(client)),
    forgetfulTables: () =>
      attempt("cannot look for the deduplication log", () => selectForgetfulTables(client)),
    readNote: () => attempt("cannot read the installation's note", () => selectNote(client)),
    writeNote: (note) => attempt("cannot note the installation", () => insertNote(client, note)),
    ping: async () => (await client.ping({ select: true })).success,
    close: () => client.close(),
  };
}

function readAuthority(file: string): Buffer {
  try {
    const certificates = readFileSync(file);
    // Only the first is looked at: the file may hold a whole chain.
    new X509Certificate(certificates);
    return certificates;
  } catch (cause) {
    throw new StatsStoreError("UNAVAILABLE", `CLICKHOUSE_CA_FILE: ${file} holds no certificate in PEM`, {
      cause,
    });
  }
}

async function attempt<Result>(doing: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw toStatsStoreError(doing, cause);
  }
}
