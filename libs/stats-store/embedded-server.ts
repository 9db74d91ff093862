/**
 * A program of its own: ClickHouse's HTTP interface on loopback over the engine in this process, for one data folder.
 * Started by `startEmbeddedClickHouse` it gets its orders over their channel, and ends with its parent. Started
 * by hand it reads PORT, FOLDER, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, and ends on a signal.
 */
import { mkdirSync } from "node:fs";
import { processEnvironment } from "#libs/config/index.ts";
import { type Orders, ordersSchema, type Report } from "./embedded/messages.ts";
import { serveFolder } from "./embedded/serve-folder.ts";

async function serveParent(orders: Orders): Promise<Report> {
  const served = await serveFolder(orders, (stop) => {
    process.on("SIGTERM", () => void stop());
    process.on("disconnect", () => void stop());
    if (!process.connected) void stop();
  });
  return { state: "listening", ...served };
}

async function serveByHand(): Promise<void> {
  const { PORT, FOLDER, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD } = processEnvironment();
  const orders = ordersSchema.safeParse({
    dataDir: FOLDER,
    port: Number(PORT),
    username: CLICKHOUSE_USER,
    password: CLICKHOUSE_PASSWORD,
  });
  if (!orders.success) {
    throw new Error("set PORT, FOLDER, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD (16 characters or more)");
  }
  mkdirSync(orders.data.dataDir, { recursive: true });
  const { port, forgotten } = await serveFolder(orders.data, (stop) => {
    process.on("SIGTERM", () => void stop());
    process.on("SIGINT", () => void stop());
  });
  console.log(
    `ClickHouse's engine serves ${orders.data.dataDir} on http://127.0.0.1:${port}; cut short before: ${forgotten}`,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (process.send === undefined) {
  serveByHand().catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exit(1);
  });
} else {
  // Ctrl-C reaches the whole process group; when to stop is the parent's decision.
  process.on("SIGINT", () => {});
  process.once("message", (message) => {
    serveParent(ordersSchema.parse(message)).then(
      (report) => process.send?.(report),
      (error: unknown) => {
        process.send?.({ state: "failed", reason: reasonOf(error) } satisfies Report);
        process.exitCode = 1;
        process.disconnect();
      },
    );
  });
}
