import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { insertRows } from "./insert-range.ts";
import { migrateSchema } from "./migrate.ts";
import type { StatsStore } from "./port.ts";
import {
  selectCountsByAd,
  selectCountsOfAds,
  selectDailyOfAd,
  selectDailyOfWorkspace,
  selectTrafficOfAd,
  selectVisitorsOfAd,
} from "./queries.ts";
import { toStatsStoreError } from "./refusal.ts";

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
}

/** A stats store over ClickHouse's HTTP interface. Connects at the first call; every rejection is a `StatsStoreError`. */
export function createStatsStore(options: StatsStoreOptions): StatsStore {
  const { database, eventRetentionDays = 400 } = options;
  const connection = {
    url: options.url,
    username: options.username,
    password: options.password,
    request_timeout: options.requestTimeoutMs ?? 30_000,
    max_open_connections: options.maxConnections ?? 10,
    log: { level: ClickHouseLogLevel.OFF },
  };
  const client = createClient({ ...connection, database });

  async function createDatabase(): Promise<void> {
    // A request that names a database fails while there is none.
    const server = createClient(connection);
    try {
      await server.command({
        query: "CREATE DATABASE IF NOT EXISTS {database:Identifier}",
        query_params: { database },
      });
    } finally {
      await server.close();
    }
  }

  return {
    migrate: () =>
      attempt("cannot set up the schema", async () => {
        await createDatabase();
        await migrateSchema(client, { eventRetentionDays });
      }),
    insertRange: (range) => attempt(`cannot insert ${range.token}`, () => insertRows(client, range)),
    dailyOfAd: (...of) => attempt("cannot read stats", () => selectDailyOfAd(client, ...of)),
    dailyOfWorkspace: (...of) => attempt("cannot read stats", () => selectDailyOfWorkspace(client, ...of)),
    countsByAd: (...of) => attempt("cannot read stats", () => selectCountsByAd(client, ...of)),
    countsOfAds: (...of) => attempt("cannot read stats", () => selectCountsOfAds(client, ...of)),
    trafficOfAd: (...of) => attempt("cannot read stats", () => selectTrafficOfAd(client, ...of)),
    visitorsOfAd: (...of) => attempt("cannot read stats", () => selectVisitorsOfAd(client, ...of)),
    ping: async () => (await client.ping({ select: true })).success,
    close: () => client.close(),
  };
}

async function attempt<Result>(doing: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw toStatsStoreError(doing, cause);
  }
}
