import { pino } from "pino";
import { processEnvironment } from "#libs/config/index.ts";
import { createLogger, createShutdown } from "#libs/http/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startStandalone } from "./standalone.ts";
import { printWelcome } from "./welcome.ts";

/** Starts everything, or says in one sentence why not. */
async function main(): Promise<void> {
  const configuration = readConfiguration(processEnvironment());
  const logger = createLogger({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: true }));
  const shutdown = createShutdown({ logger });
  try {
    const { demo } = await startStandalone(configuration, logger, shutdown);
    printWelcome(configuration, demo);
  } catch (error) {
    logger.debug({ err: error }, "the start failed");
    say(error);
    process.exitCode = 1;
    await shutdown.release().catch(() => undefined);
    process.exit();
  }
}

function say(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Placard cannot start. ${message}\n`);
}

try {
  await main();
} catch (error) {
  say(error);
  process.exitCode = 1;
}
