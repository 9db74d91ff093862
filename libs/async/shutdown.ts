import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";
import { TimeoutError, within } from "./deadline.ts";

const TOTAL_MS = 10_000;
/** The time for one release unless it asks for another. */
const DEFAULT_MS = 4_000;
/** Reserved from the total for the process to exit on its own. */
const SPARE_MS = 500;

interface Release {
  readonly name: string;
  readonly withinMs: number;
  readonly run: () => unknown;
}

/** The one way a service stops. Created first in `main.ts`; whatever opens a resource registers its release. */
export interface Shutdown {
  /** True once the service begins to stop: readiness then answers no. */
  readonly started: boolean;
  /** Registers the release of `name`, which may take `withinMs` (default 4 s). The last one registered runs first. */
  onRelease(name: string, release: () => unknown, withinMs?: number): void;
  /** Releases everything, once; later calls wait for the same result. Throws `AggregateError` when a release failed. */
  release(): Promise<void>;
  /** Stops the process as a signal would: exit code 0, or 1 after `error` or a failed release. */
  stop(error?: Error): void;
}

/**
 * Releases on SIGTERM, SIGINT and the like, on an uncaught error and on `stop`, and ends the process within `totalMs`
 * (default 10 s). A second signal ends it at once. Without `handleSignals` it only keeps the list (tests).
 */
export function createShutdown(options: {
  readonly logger: Logger;
  readonly totalMs?: number;
  readonly handleSignals?: boolean;
}): Shutdown {
  const { logger, totalMs = TOTAL_MS, handleSignals = true } = options;
  const releases: Release[] = [];
  let started = false;
  let releasing: Promise<void> | undefined;
  let failure: Error | undefined;

  async function releaseAll(): Promise<void> {
    const end = Date.now() + totalMs - Math.min(SPARE_MS, totalMs / 10);
    const failures: unknown[] = [];
    for (let next = releases.pop(); next !== undefined; next = releases.pop()) {
      const { name, run, withinMs } = next;
      try {
        // Each release is started even with no time left: child processes have to end.
        const left = Math.max(0, Math.min(withinMs, end - Date.now()));
        await within(left, name, Promise.resolve(run()));
      } catch (error) {
        failures.push(error);
        logger.error(
          { err: error },
          error instanceof TimeoutError ? "release took too long" : `could not release ${name}`,
        );
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be released");
  }

  function release(): Promise<void> {
    started = true;
    releasing ??= releaseAll();
    return releasing;
  }

  const grace = handleSignals
    ? closeWithGrace(
        { delay: totalMs, logger: { error: (message) => logger.error(message) } },
        async (reason) => {
          failure ??= reason.err;
          if (failure === undefined)
            logger.info(`stopping${reason.signal === undefined ? "" : ` on ${reason.signal}`}`);
          else logger.fatal({ err: failure }, "stopping after an error");
          await release();
          if (failure !== undefined) throw failure;
        },
      )
    : undefined;

  return {
    get started() {
      return started;
    },
    onRelease: (name, run, withinMs = DEFAULT_MS) => {
      releases.push({ name, run, withinMs });
    },
    release,
    stop: (error) => {
      failure ??= error;
      grace?.close();
    },
  };
}
