import { pino } from "pino";
import { processEnvironment } from "#libs/config/index.ts";
import { createLogger, createShutdown } from "#libs/http/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startStandalone } from "./standalone.ts";
import { printWelcome } from "./welcome.ts";

const START_ENDS_WITHIN_MS = 8_000;

/** Starts everything, or says in one sentence why not. */
async function main(): Promise<void> {
  const configuration = readConfiguration(processEnvironment());
  const logger = createLogger({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: true }));
  const shutdown = createShutdown({ logger });
  try {
    const starting = startStandalone(configuration, logger, shutdown);
    // A part that is only just starting when the process is told to stop would be left running.
    shutdown.onRelease("the start", () => starting.catch(() => undefined), START_ENDS_WITHIN_MS);
    const { demo } = await starting;
    if (!shutdown.started) printWelcome(configuration, demo);
  } catch (error) {
    logger.debug({ err: error }, "the start failed");
    // Told to stop meanwhile: no failure, and the shutdown ends the process.
    if (shutdown.started) return;
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
