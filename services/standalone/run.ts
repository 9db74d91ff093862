import { runService } from "#libs/process/index.ts";
import { readConfiguration } from "./configuration.ts";
import { openDataFolder } from "./data-folder.ts";
import { startOwnEngines } from "./own-engines.ts";
import { openSecrets } from "./secrets.ts";
import { printWelcome } from "./welcome.ts";

await runService({
  name: "Placard",
  readConfiguration,
  async start(configuration, logger, shutdown) {
    const folder = await openDataFolder(configuration.dataDir, (message) => logger.warn(message));
    shutdown.onRelease("the data folder", () => folder.release());
    const secrets = await openSecrets(folder.secrets, configuration.secretKey);
    const own = startOwnEngines(configuration, folder, logger, shutdown);
    // Loading the services keeps this process busy for as long as the engines, which are others, take to start.
    const { startStandalone } = await import("./standalone.ts");
    const started = await startStandalone(configuration, { folder, secrets, own }, logger, shutdown);
    if (!shutdown.started) printWelcome(configuration, started);
  },
});
