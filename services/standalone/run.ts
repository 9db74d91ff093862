import { runService } from "#libs/process/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startStandalone } from "./standalone.ts";
import { printWelcome } from "./welcome.ts";

await runService({
  name: "Placard",
  readConfiguration,
  async start(configuration, logger, shutdown) {
    const started = await startStandalone(configuration, logger, shutdown);
    if (!shutdown.started) printWelcome(configuration, started);
  },
});
