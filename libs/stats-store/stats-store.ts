import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import { type Note, noteSchema } from "#libs/installation/index.ts";
import { selectBusyAds } from "./corrections.ts";
import { selectCountedVisits } from "./counted-visits.ts";
import { selectBrokenParts, selectForgetfulTables, selectUnreadableParts } from "./damage.ts";
import { StatsStoreError, toStatsStoreError } from "./errors.ts";
import { fillCounts, selectDaysToFill, selectMonthsToFill } from "./fill-counts.ts";
import { insertRows } from "./insert-range.ts";
import { selectJudgementFaults } from "./judgements.ts";
import {
  eraseRows,
  rebuildCounts,
  selectCountedAds,
  selectDifferences,
  selectRetention,
  selectTotalsOfDay,
} from "./maintenance.ts";
import { isSchemaCurrent, makeDatabase, migrateSchema } from "./migrate.ts";
import type { StatsStore } from "./port.ts";
import {
  selectAudience,
  selectCountsByAd,
  selectCountsOfAds,
  selectDailyOfAd,
  selectDailyOfWorkspace,
  selectTopAds,
  selectTrafficOfAd,
  selectTrafficOfWorkspace,
  selectVisitorsOfAd,
} from "./queries.ts";
import { selectFirstCounted, selectMostCounted, selectReport } from "./reports.ts";
import { selectFormOfRows, selectStoredIds } from "./stored-ids.ts";
import { selectStoredOfRequests } from "./stored-of-requests.ts";

export interface StatsStoreOptions {
  /** Where ClickHouse's HTTP interface is, as `http://host:8123`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Created by `migrate()` if it does not exist. */
  readonly database: string;
  /** Milliseconds until a call without an answer fails. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Connections at the same time; further calls wait. Default 10. */
  readonly maxConnections?: number;
  /** Days until raw events are dropped, whole months at a time. Default 400. */
  readonly eventRetentionDays?: number;
  /** Days until the counts of `wide` are dropped, whole months at a time. Default 760. */
  readonly splitRetentionDays?: number;
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

/** The server ends what it does before the client times out: it reports a missed quorum, and runs no look-up beside its repetition. */
const SERVER_TIMEOUT_SHARE = 0.75;

/**
 * A stats store over ClickHouse's HTTP interface. Connects at the first call. Every rejection is a `StatsStoreError`, as is
 * the error for a `caFile` that cannot be read.
 */
export function createStatsStore(options: StatsStoreOptions): StatsStore {
  const { database, cluster = null, requestTimeoutMs = 30_000 } = options;
  const schema = {
    eventRetentionDays: options.eventRetentionDays ?? 400,
    splitRetentionDays: options.splitRetentionDays ?? 760,
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
      insert_quorum_timeout: Math.floor(requestTimeoutMs * SERVER_TIMEOUT_SHARE),
    }),
  };

  const lookUpSettings: ClickHouseSettings = {
    max_execution_time: (requestTimeoutMs * SERVER_TIMEOUT_SHARE) / 1000,
    // `break` would answer that the rest is not stored, and it would count twice.
    timeout_overflow_mode: "throw",
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
    isMigrated: () => attempt("cannot read the schema", () => isSchemaCurrent(client, schema)),
    insertRange: (range) =>
      attempt(`cannot insert ${range.token}`, () => insertRows(client, range, insertSettings)),
    storedIds: (keys) =>
      attempt("cannot look for events", () =>
        selectStoredIds(client, schema.replicated, keys, lookUpSettings),
      ),
    formOfRows: (keys) =>
      attempt("cannot look for events", () =>
        selectFormOfRows(client, schema.replicated, keys, lookUpSettings),
      ),
    storedOfRequests: (requests) =>
      attempt("cannot look for events", () =>
        selectStoredOfRequests(client, schema.replicated, requests, lookUpSettings),
      ),
    countedVisits: (...of) =>
      attempt("cannot look for events", () =>
        selectCountedVisits(client, schema.replicated, ...of, lookUpSettings),
      ),
    dailyOfAd: (...of) => attempt("cannot read stats", () => selectDailyOfAd(client, ...of)),
    dailyOfWorkspace: (...of) => attempt("cannot read stats", () => selectDailyOfWorkspace(client, ...of)),
    countsByAd: (...of) => attempt("cannot read stats", () => selectCountsByAd(client, ...of)),
    countsOfAds: (...of) => attempt("cannot read stats", () => selectCountsOfAds(client, ...of)),
    topAds: (...of) => attempt("cannot read stats", () => selectTopAds(client, ...of)),
    trafficOfAd: (...of) => attempt("cannot read stats", () => selectTrafficOfAd(client, ...of)),
    trafficOfWorkspace: (...of) =>
      attempt("cannot read stats", () => selectTrafficOfWorkspace(client, ...of)),
    audienceOfWorkspace: (workspaceId, days, corrections = []) =>
      attempt("cannot read stats", () =>
        selectAudience(client, workspaceId, days, corrections, lookUpSettings),
      ),
    visitorsOfAd: (workspaceId, adId, days, corrections = []) =>
      attempt("cannot read stats", () =>
        selectVisitorsOfAd(client, workspaceId, adId, days, corrections, lookUpSettings),
      ),
    busyAds: (...of) => attempt("cannot read stats", () => selectBusyAds(client, ...of, lookUpSettings)),
    reportCounts: (request, limit) =>
      attempt("cannot read counts", () => selectReport(client, request, limit, lookUpSettings)),
    mostCounted: (...of) =>
      attempt("cannot read counts", () => selectMostCounted(client, ...of, lookUpSettings)),
    firstCounted: (...of) =>
      attempt("cannot read counts", () => selectFirstCounted(client, ...of, lookUpSettings)),
    eraseWorkspaces: (workspaceIds) =>
      attempt("cannot erase workspaces", () => eraseRows(client, schema.replicated, workspaceIds)),
    countDifferences: (...of) =>
      attempt("cannot compare counts", () => selectDifferences(client, schema.replicated, ...of)),
    judgementFaults: (...of) =>
      attempt("cannot check the verdicts", () => selectJudgementFaults(client, ...of)),
    countedAds: (...of) => attempt("cannot list ads", () => selectCountedAds(client, ...of)),
    eventRetentionDays: () => attempt("cannot read the schema", () => selectRetention(client, "events")),
    splitRetentionDays: () => attempt("cannot read the schema", () => selectRetention(client, "wide")),
    totalsOfDay: (day) =>
      attempt("cannot compare counts", () => selectTotalsOfDay(client, schema.replicated, day)),
    rebuildCounts: (day) =>
      attempt(`cannot rebuild ${day}`, () => rebuildCounts(client, schema.replicated, insertSettings, day)),
    monthsToFill: (...of) =>
      attempt("cannot compare counts", () => selectMonthsToFill(client, schema.replicated, ...of)),
    daysToFill: (month) =>
      attempt("cannot compare counts", () => selectDaysToFill(client, schema.replicated, month)),
    fillCounts: (day) =>
      attempt(`cannot fill ${day}`, () => fillCounts(client, schema.replicated, insertSettings, day)),
    brokenParts: () => attempt("cannot look for broken parts", () => selectBrokenParts(client)),
    unreadableParts: () => attemptEach("cannot check the parts", selectUnreadableParts(client)),
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
    // Checks only the first: the file may hold a whole chain.
    new X509Certificate(certificates);
    return certificates;
  } catch (cause) {
    throw new StatsStoreError("UNAVAILABLE", `CLICKHOUSE_CA_FILE: ${file} holds no certificate in PEM`, {
      cause,
    });
  }
}

async function* attemptEach<Result>(doing: string, results: AsyncIterable<Result>): AsyncGenerator<Result> {
  try {
    yield* results;
  } catch (cause) {
    throw toStatsStoreError(doing, cause);
  }
}

async function attempt<Result>(doing: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw toStatsStoreError(doing, cause);
  }
}

/** The note with the highest checkpoint; null before the first. Rejects as the client does. */
async function selectNote(client: ClickHouseClient): Promise<Note | null> {
  const result = await client.query({
    query: "SELECT note FROM installation ORDER BY checkpoint DESC LIMIT 1",
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ note: string }>();
  return row === undefined ? null : noteSchema.parse(JSON.parse(row.note));
}

/** Adds the note; a merge drops the earlier ones. It is on the disk when this resolves. */
async function insertNote(client: ClickHouseClient, note: Note): Promise<void> {
  await client.insert({
    table: "installation",
    columns: ["note", "checkpoint"],
    values: [[JSON.stringify(note), note.checkpoint]],
    format: "JSONCompactEachRow",
    clickhouse_settings: { async_insert: 0 },
  });
}
