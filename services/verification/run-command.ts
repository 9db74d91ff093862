import { pino } from "pino";
import { createShutdown } from "#libs/async/index.ts";
import { processEnvironment } from "#libs/config/index.ts";
import { createLogger } from "#libs/http/index.ts";
import { finishWithoutOutput } from "../management/start/command-line.ts";
import { UsageError } from "./days.ts";
import { type OpenInstallation, openInstallation, readSettings } from "./open-installation.ts";

const USAGE = 2;

export interface StoreCommand<Order> {
  /** Throws `UsageError`. */
  readonly parse: (typed: readonly string[]) => Order;
  /** Resolves with whether the stores are now as they should be. */
  readonly run: (
    installation: OpenInstallation,
    order: Order,
    say: (line: string) => void,
  ) => Promise<boolean>;
}

/** Runs a command on the stores of the installation and exits: 0 for success, 2 for wrong arguments, otherwise 1. */
export async function runOnStores<Order>({ parse, run }: StoreCommand<Order>): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  finishWithoutOutput();
  try {
    const order = parse(process.argv.slice(2));
    const settings = readSettings(processEnvironment());
    const logger = createLogger({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
    const shutdown = createShutdown({ logger });
    try {
      const installation = await openInstallation(settings, logger, shutdown);
      if (!(await run(installation, order, say))) process.exitCode = 1;
    } finally {
      await shutdown.release();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? USAGE : 1;
  }
  process.exit();
}
