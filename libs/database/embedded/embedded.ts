import { access, constants, realpath } from "node:fs/promises";
import { join, resolve as resolvePath } from "node:path";
import { makeFolderDurably } from "#libs/files/index.ts";
import { freePort } from "#libs/process/ports.ts";
import type { DatabaseLogger } from "../connection.ts";
import { DatabaseError, reasonOf } from "../errors.ts";
import { unprivilegedAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { prepareCluster, unusable } from "./cluster.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { stopOrphan } from "./orphan.ts";
import type { LaunchOptions } from "./server-process.ts";
import { type SupervisedServer, superviseServer } from "./supervisor.ts";

const PORT_ATTEMPTS = 3;

export interface EmbeddedPostgresOptions {
  /** Holds everything; created when missing. One process at a time. */
  readonly dataDir: string;
  /** Default: a free port, a new one at each start. */
  readonly port?: number;
  /** Settings of Postgres (`fsync`, `max_connections`, …), over the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger: DatabaseLogger;
}

export interface EmbeddedPostgres {
  /** Includes the password. Valid until `close`, even if the server restarts. */
  readonly url: string;
  /** The process id of the current server; changes when it restarts. */
  readonly pid: number;
  /** Fast shutdown, after 5 seconds an immediate one. Releases the folder. May be called twice. */
  close(): Promise<void>;
}

/**
 * Runs a Postgres of our own on the loopback address, over a data folder that outlives it. A server that dies is
 * restarted on the same port; one that outlived an earlier process of ours is stopped first.
 * Throws `DatabaseError`: `EMBEDDED_UNAVAILABLE`, or `DATA_FOLDER` (not writable, in use, damaged, another version).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openFolder(resolvePath(options.dataDir));
  const { port, logger, settings = {} } = options;
  const held: (() => Promise<void> | void)[] = [];
  const release = async () => {
    for (const releaseOne of held.reverse()) await releaseOne();
  };
  try {
    const lock = takeFolder(folder);
    held.push(() => lock.release());
    const cluster = join(folder, "cluster");
    const account = await unprivilegedAccount(cluster);
    const binaries = await findBinaries(cluster, account);
    held.push(() => binaries.release());
    const plan = { cluster, password: join(folder, "password"), sync: settings.fsync !== "off" };
    const password = await prepareCluster(plan, binaries, account);
    await stopOrphan(cluster, logger);
    const server = await startServer({ cluster, binaries, account, settings, logger }, port);
    held.push(() => server.close());

    let closing: Promise<void> | undefined;
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
      get pid() {
        return server.pid;
      },
      close() {
        closing ??= release();
        return closing;
      },
    };
  } catch (error) {
    await release();
    throw error instanceof DatabaseError
      ? error
      : unusable(folder, `cannot be used: ${reasonOf(error)}`, error);
  }
}

async function startServer(
  options: Omit<LaunchOptions, "port">,
  wantedPort: number | undefined,
): Promise<SupervisedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = wantedPort ?? (await freePort());
    try {
      return await superviseServer({ ...options, port });
    } catch (error) {
      // Another program took the port between the check and the start.
      const taken = error instanceof DatabaseError && error.code === "PORT_TAKEN";
      if (!taken || wantedPort !== undefined || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function openFolder(folder: string): Promise<string> {
  try {
    await makeFolderDurably(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (error) {
    throw unusable(folder, `cannot be used: ${reasonOf(error)}`, error);
  }
}

function takeFolder(folder: string): FolderLock {
  const lock = lockFolder(folder);
  if (lock === null) throw unusable(folder, "is in use by another process");
  return lock;
}
