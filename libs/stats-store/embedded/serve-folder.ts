import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { forgetCutShortInserts } from "./deduplication-log.ts";
import { createDurableStatements } from "./durable-statements.ts";
import { openEngine } from "./engine.ts";
import { createHttpInterface } from "./http-interface.ts";
import type { Orders } from "./messages.ts";
import { setUnconfirmedAside } from "./unconfirmed-parts.ts";

/** The engine cannot abort a query; a recovery is better than a process that waits forever. */
const CLOSE_WITHIN_MS = 3000;

export interface ServedFolder {
  readonly port: number;
  /** Inserts that a crash or a power failure had cut short between the token and the rows; repeating them inserts them. */
  readonly forgotten: number;
}

/**
 * Opens a data folder and serves it on a loopback port until the process is stopped, which takes at most 3 seconds.
 * `whenToStop` gets the function that stops it. Throws a sentence when the folder or the port cannot be opened.
 */
export async function serveFolder(
  orders: Orders,
  whenToStop: (stop: () => Promise<void>) => void,
): Promise<ServedFolder> {
  const { Session } = await import("chdb").catch((cause) => {
    throw new Error("no embedded ClickHouse for this platform; set CLICKHOUSE_URL", { cause });
  });
  const lock = lockFolder(orders.dataDir);
  const forgotten = forgetCutShortInserts(orders.dataDir) + (await setUnconfirmedAside(orders.dataDir));
  const engine = openEngine(() => new Session(orders.dataDir));
  const server = createHttpInterface(engine, createDurableStatements(orders.dataDir), orders);

  let stopping = false;
  whenToStop(async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    server.close();
    await engine.close();
    server.closeAllConnections();
    lock.close();
    process.exit(0);
  });

  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE" ? new Error(`port ${orders.port} is in use`, { cause: error }) : error,
      );
    });
    server.listen(orders.port, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : orders.port);
    });
  });
  return { port, forgotten };
}

/** A process whose parent was killed takes some seconds to close its engine; the next one waits. */
const WAIT_MS = 3500;

/**
 * Locks the data folder until this process ends; the system releases the lock even after a crash. The engine has its own
 * lock, but this process reads the files before the engine opens them. Throws if another process holds the lock.
 */
function lockFolder(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, "embedded.lock"), { timeout: WAIT_MS });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    throw new Error(`another process has ${dataDir} open`, { cause });
  }
  return lock;
}
