/**
 * A program of its own: ClickHouse's HTTP interface on loopback over the engine in this process, for one data folder.
 * `startEmbeddedClickHouse` starts it, tells it what to do over their channel, and it goes when its parent goes.
 */
import type { AddressInfo } from "node:net";
import { forgetCutShortInserts } from "./embedded/deduplication-log.ts";
import { openEngine } from "./embedded/engine.ts";
import { lockFolder } from "./embedded/folder-lock.ts";
import { createHttpInterface } from "./embedded/http-interface.ts";
import { type Orders, ordersSchema, type Report } from "./embedded/messages.ts";

/** The engine has no way to break off a query; a process that waits for ever would be worse than a recovery. */
const CLOSE_WITHIN_MS = 3000;

async function serve(orders: Orders): Promise<void> {
  const { Session } = await import("chdb").catch((cause) => {
    throw new Error("no embedded ClickHouse for this platform; set CLICKHOUSE_URL", { cause });
  });
  const lock = lockFolder(orders.dataDir);
  const forgotten = forgetCutShortInserts(orders.dataDir);
  const engine = openEngine((dataDir) => new Session(dataDir), orders.dataDir);
  const server = createHttpInterface(engine, orders);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    server.close();
    await engine.close();
    server.closeAllConnections();
    lock.close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("disconnect", () => void stop());
  if (!process.connected) return stop();

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
  report({ state: "listening", port, forgotten });
}

function report(news: Report): void {
  process.send?.(news);
}

// Ctrl-C reaches the whole process group; when to stop is the parent's decision.
process.on("SIGINT", () => {});

if (process.send === undefined) {
  console.error(
    "This program is started by startEmbeddedClickHouse, which tells it its folder, port and password.",
  );
  process.exit(1);
}

process.once("message", (message) => {
  serve(ordersSchema.parse(message)).catch((error: unknown) => {
    report({ state: "failed", reason: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  });
});
