import { chmod, mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve as resolvePath } from "node:path";
import { DatabaseError, reasonOf } from "../errors.ts";
import type { DatabaseLogger } from "../logger.ts";
import { unprivilegedAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { prepareCluster } from "./cluster.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { stopOrphan } from "./orphan.ts";
import { superviseServer } from "./supervisor.ts";

export interface EmbeddedPostgresOptions {
  /** Everything is kept in here; made when missing. One process at a time. */
  readonly dataDir: string;
  /** Default: a free one, another one at each start. */
  readonly port?: number;
  /** Settings of Postgres (`fsync`, `max_connections`, …), over the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger: DatabaseLogger;
}

export interface EmbeddedPostgres {
  /** With the password; it holds until `close`, also when the server had to be restarted. */
  readonly url: string;
  /** Of the server as it runs now; changes when it had to be restarted. */
  readonly pid: number;
  /** Fast shutdown, after 5 seconds an immediate one. Lets go of the folder. May be called twice. */
  close(): Promise<void>;
}

/**
 * Runs a Postgres of our own on the loopback address, over a data folder that outlives it. A server that dies is
 * restarted on the same port; one that outlived an earlier process of ours is stopped first.
 * Throws `DatabaseError`: `EMBEDDED_UNAVAILABLE`, or `DATA_FOLDER` (not writable, in use, damaged, another version).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openFolder(resolvePath(options.dataDir));
  const lock = takeFolder(folder);
  try {
    const cluster = join(folder, "cluster");
    const account = await unprivilegedAccount(cluster);
    const binaries = await findBinaries(cluster, account);
    try {
      const password = await prepareCluster(
        { cluster, password: join(folder, "password") },
        binaries,
        account,
      );
      await stopOrphan(cluster, options.logger);
      const port = options.port ?? (await freePort());
      const { logger, settings = {} } = options;
      const server = await superviseServer({ cluster, port, binaries, account, settings, logger });

      const end = async () => {
        await server.close();
        await binaries.release();
        lock.release();
      };
      let closing: Promise<void> | undefined;
      return {
        url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
        get pid() {
          return server.pid;
        },
        close() {
          closing ??= end();
          return closing;
        },
      };
    } catch (error) {
      await binaries.release();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error instanceof DatabaseError
      ? error
      : new DatabaseError(
          "DATA_FOLDER",
          `The database folder ${folder} cannot be used: ${reasonOf(error)}.`,
          {
            cause: error,
          },
        );
  }
}

async function openFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
    return await realpath(folder);
  } catch (error) {
    throw new DatabaseError(
      "DATA_FOLDER",
      `The database folder ${folder} cannot be used: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}

function takeFolder(folder: string): FolderLock {
  let lock: FolderLock | null;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    throw new DatabaseError(
      "DATA_FOLDER",
      `The database folder ${folder} cannot be locked: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    );
  }
  if (lock !== null) return lock;
  throw new DatabaseError("DATA_FOLDER", `The database folder ${folder} is in use by another process.`);
}

/** A port that was free a moment ago, on the loopback address. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
