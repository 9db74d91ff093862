import type { AddressInfo } from "node:net";
import { forgetCutShortInserts } from "./deduplication-log.ts";
import { createDurableStatements } from "./durable-statements.ts";
import { openEngine } from "./engine.ts";
import { lockFolder } from "./folder-lock.ts";
import { createHttpInterface } from "./http-interface.ts";
import type { Orders } from "./messages.ts";
import { setUnconfirmedAside } from "./unconfirmed-parts.ts";

/** The engine has no way to break off a query; a process that waits for ever would be worse than a recovery. */
const CLOSE_WITHIN_MS = 3000;

export interface ServedFolder {
  readonly port: number;
  /** Inserts that a crash or a power failure had cut short between the token and the rows; repeating them inserts them. */
  readonly forgotten: number;
}

/**
 * Opens a data folder and serves it on a port of the loopback until the process is told to stop, which it then does within
 * 3 seconds. `whenToStop` is given what stops it. Throws a sentence when the folder or the port cannot be had.
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
  const engine = openEngine((dataDir) => new Session(dataDir), orders.dataDir);
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
