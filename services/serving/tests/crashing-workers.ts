// A primary whose workers listen and then end at once, for a test to watch.
import cluster from "node:cluster";
import { createServer } from "node:net";
import { runService } from "#libs/process/index.ts";
import { startWorkers } from "../start/workers.ts";

if (cluster.isPrimary) {
  await runService({
    name: "The test",
    readConfiguration: () => ({ logLevel: "error" as const }),
    start: (_configuration, logger, shutdown) => startWorkers(1, logger, shutdown),
  });
} else {
  createServer().listen(0, "127.0.0.1", () => setTimeout(() => process.exit(3), 20));
}
