import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { BaseLogger } from "pino";
import { columnValues } from "./column-values.ts";
import { DatabaseError, reasonOf } from "./errors.ts";
import { FairPool } from "./fair-pool.ts";
import { rememberStatements } from "./statement.ts";
import type { Tables } from "./tables.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** The part of a pino logger that the database uses. */
export type DatabaseLogger = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of pg (such as `sslmode`). */
  readonly url: string;
  /** Further queries wait for a free connection. Each connection costs the server some megabytes. Default 10. */
  readonly maxConnections?: number;
  /** The server cancels a statement after this many milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** PEM file of the authority that signed the server's certificate; its name is verified where the URL has no `sslmode`. */
  readonly caFile?: string;
  /** Our name in the server's views. Default `placard`. */
  readonly applicationName?: string;
  readonly logger?: DatabaseLogger;
}

export interface Database {
  readonly db: Kysely<Tables>;
  /** The same on a third of the connections, for which parties wait in turn (`asParty`). */
  readonly sharedDb: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Throws `DatabaseError` `UNREACHABLE` when the server does not answer a query. */
  ping(): Promise<void>;
  /** Waits at most 5 seconds for running queries, then closes the connections. May be called twice. */
  close(): Promise<void>;
}

/**
 * Opens a pool. Connections are opened on demand, so `ping` is what detects an unreachable server.
 * Throws `DatabaseError` `BAD_URL`, also for a `caFile` that cannot be read. Broken connections are logged and replaced.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const address = describeAddress(options.url);
  const { logger, maxConnections = 10 } = options;
  const pool = new pg.Pool({
    connectionString: options.caFile === undefined ? options.url : withAuthority(options.url, options.caFile),
    max: maxConnections,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: options.applicationName ?? "placard",
    keepAlive: true,
    types: columnValues,
  });
  let closing: Promise<void> | undefined;
  const clients = watchClients(pool, (error) => {
    // The pool reports that it is closed while its connections are still closing.
    if (closing !== undefined) return;
    logger?.warn({ err: error, address }, "a database connection broke; a new one is opened when needed");
  });
  pool.on("connect", rememberStatements);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const shared = new FairPool(pool, Math.max(2, Math.floor(maxConnections / 3)));
  const sharedDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: shared }) });

  const end = async () => {
    const hangUp = setTimeout(() => {
      logger?.warn(
        { address, connections: clients.size },
        "closing database connections that are still in use",
      );
      for (const client of clients) void client.end().catch(() => {});
    }, CLOSE_TIMEOUT_MS);
    await sharedDb.destroy();
    await db.destroy();
    if (!pool.ending) await pool.end();
    clearTimeout(hangUp);
  };

  return {
    db,
    sharedDb,
    pool,
    async ping() {
      try {
        await pool.query("select 1");
      } catch (error) {
        throw new DatabaseError(
          "UNREACHABLE",
          `The database at ${address} cannot be used: ${reasonOf(error)}.`,
          {
            cause: error,
          },
        );
      }
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

/** Follows live connections: the pool listens for errors only between uses, and an unheard one would end the process. */
function watchClients(pool: pg.Pool, onBroken: (error: Error) => void): ReadonlySet<pg.PoolClient> {
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => {
    clients.add(client);
    client.on("error", onBroken);
  });
  pool.on("remove", (client) => clients.delete(client));
  // The connection's own listener has logged it; without a listener here the pool would throw.
  pool.on("error", () => {});
  return clients;
}

/** Host, port and database of a URL, without user and password. */
function describeAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:") {
    throw new DatabaseError("BAD_URL", "DATABASE_URL must read postgres://user:password@host:port/database.");
  }
  const host = parsed.host || parsed.searchParams.get("host") || "localhost";
  return `${host}${parsed.pathname}`;
}

/** pg reads the file only from the URL, and the URL's TLS parameters override all other options. */
function withAuthority(given: string, caFile: string): string {
  try {
    new X509Certificate(readFileSync(caFile));
  } catch (error) {
    throw new DatabaseError("BAD_URL", `DATABASE_CA_FILE: ${caFile} contains no readable certificate.`, {
      cause: error,
    });
  }
  const url = new URL(given);
  if (url.searchParams.get("sslmode") === "disable") {
    throw new DatabaseError(
      "BAD_URL",
      "The database URL has sslmode=disable, so DATABASE_CA_FILE would have no effect.",
    );
  }
  if (!url.searchParams.has("sslmode")) url.searchParams.set("sslmode", "verify-full");
  url.searchParams.set("sslrootcert", caFile);
  return url.href;
}
