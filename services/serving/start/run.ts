import cluster from "node:cluster";
import { runService } from "#libs/process/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startServing } from "./serving.ts";
import { processesOf, startWorkers } from "./workers.ts";

await runService({
  name: "Placard serving",
  readConfiguration,
  start(configuration, logger, shutdown) {
    const processes = processesOf(configuration);
    return cluster.isPrimary && processes > 1
      ? startWorkers(processes, logger, shutdown)
      : startServing(configuration, logger, shutdown);
  },
});
