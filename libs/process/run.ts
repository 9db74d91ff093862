import { type Logger, pino } from "pino";
import { processEnvironment } from "#libs/config/index.ts";
import { createLogger, createShutdown, type LogLevel, type Shutdown } from "#libs/http/index.ts";
import { StartError } from "./start-error.ts";

const START_ENDS_WITHIN_MS = 8_000;

/** A service, as a program of its own. */
export interface ServiceProgram<Configuration extends { readonly logLevel: LogLevel }> {
  /** What a start that fails says could not start: `Placard serving`. */
  readonly name: string;
  /** Throws an error whose message is for people when the environment will not do. */
  readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration;
  /** Resolves when the service does its work. What it opens it has pushed to `shutdown`, also when it rejects. */
  start(configuration: Configuration, logger: Logger, shutdown: Shutdown): Promise<void>;
}

/** Runs the service until it is told to stop, or says in one sentence why it cannot start and ends with exit code 1. */
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
  const logger = createLogger({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: true }));
  const shutdown = createShutdown({ logger });
  try {
    const starting = program.start(configuration, logger, shutdown);
    // A part that is only just starting when the process is told to stop would be left running.
    shutdown.onRelease("the start", () => starting.catch(() => undefined), START_ENDS_WITHIN_MS);
    await starting;
  } catch (error) {
    logger.debug({ err: error }, "the start failed");
    // Told to stop meanwhile: no failure, and the shutdown ends the process.
    if (shutdown.started) return;
    say(program.name, error);
    process.exitCode = 1;
    await shutdown.release().catch(() => undefined);
    process.exit();
  }
}

/** A command: it does one thing and ends. */
export interface Command<Configuration extends { readonly logLevel: LogLevel }>
  extends Pick<ServiceProgram<Configuration>, "name" | "readConfiguration"> {
  /** Resolves with what to say when it is done. */
  run(configuration: Configuration, logger: Logger, shutdown: Shutdown): Promise<string>;
}

/** Runs the command and lets go of what it has opened; a failure is told as by `runService`. */
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

/** Throws where the process has been told to stop while it started, so that nothing more is opened. */
export function goOnUnlessStopped(shutdown: Shutdown): void {
  if (shutdown.started) throw new StartError("It was told to stop while it started.");
}

function say(name: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${name} cannot start. ${message}\n`);
}
