import { type Logger, pino } from "pino";
import { createShutdown, type Shutdown } from "#libs/async/index.ts";
import { processEnvironment } from "#libs/config/index.ts";
import { createLogger, type LogLevel } from "#libs/http/index.ts";
import { StartError } from "./start-error.ts";

const START_ENDS_WITHIN_MS = 8_000;

/** A service as a program. */
export interface ServiceProgram<Configuration extends { readonly logLevel: LogLevel }> {
  /** The name in the message of a failed start: `Placard serving`. */
  readonly name: string;
  /** Throws an error with a message for the operator when a setting is invalid. */
  readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration;
  /** Resolves once the service works. Registers whatever it opens at `shutdown`, even when it rejects. */
  start(configuration: Configuration, logger: Logger, shutdown: Shutdown): Promise<void>;
}

/** Runs the service until it is stopped. A failed start prints one sentence and ends with exit code 1. */
export async function runService<Configuration extends { readonly logLevel: LogLevel }>(
  program: ServiceProgram<Configuration>,
): Promise<void> {
  try {
    await start(program);
  } catch (error) {
    say(program.name, error);
    process.exitCode = 1;
  }
}

async function start<Configuration extends { readonly logLevel: LogLevel }>(
  program: ServiceProgram<Configuration>,
): Promise<void> {
  const configuration = program.readConfiguration(processEnvironment());
  // Lines of several services often come together in one place.
  const logger = createLogger(
    { level: configuration.logLevel, name: program.name },
    pino.destination({ dest: 2, sync: true }),
  );
  const shutdown = createShutdown({ logger });
  try {
    const starting = program.start(configuration, logger, shutdown);
    // A part that is starting during a stop would be left running.
    shutdown.onRelease("the start", () => starting.catch(() => undefined), START_ENDS_WITHIN_MS);
    await starting;
  } catch (error) {
    logger.debug({ err: error }, "the start failed");
    // Stopped in the meantime: no failure, and the shutdown ends the process.
    if (shutdown.started) return;
    say(program.name, error);
    process.exitCode = 1;
    await shutdown.release().catch(() => undefined);
    process.exit();
  }
}

/** A program that does one thing and ends. */
export interface Command<Configuration extends { readonly logLevel: LogLevel }>
  extends Pick<ServiceProgram<Configuration>, "name" | "readConfiguration"> {
  /** Resolves with the message to print. */
  run(configuration: Configuration, logger: Logger, shutdown: Shutdown): Promise<string>;
}

/** Runs the command and releases what it opened. A failure is reported as in `runService`. */
export async function runCommand<Configuration extends { readonly logLevel: LogLevel }>(
  command: Command<Configuration>,
): Promise<void> {
  await runService({
    ...command,
    async start(configuration, logger, shutdown) {
      const said = await command.run(configuration, logger, shutdown);
      process.stdout.write(`${said}\n`);
      shutdown.stop();
    },
  });
}

/** Throws when the process was stopped during its start, so that nothing more is opened. */
export function continueUnlessStopped(shutdown: Shutdown): void {
  if (shutdown.started) throw new StartError("It was stopped during its start.");
}

function say(name: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${name} cannot start. ${message}\n`);
}
