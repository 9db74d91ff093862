import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";
import { TimeoutError, within } from "./deadline.ts";

const TOTAL_MS = 10_000;
/** What a release gets unless it says otherwise; also kept back from the total, so that the process ends by itself. */
const USUAL_MS = 4_000;
const SPARE_MS = 500;

interface Release {
  readonly name: string;
  readonly withinMs: number;
  readonly run: () => unknown;
}

/** The one way a service goes down. Made first in `main.ts`; each thing that is opened pushes how it is let go. */
export interface Shutdown {
  /** True from the moment the service is told to stop: readiness answers no. */
  readonly started: boolean;
  /** Adds how to let go of `name`, in at most `withinMs` (default 4 s). The last one added is the first to run. */
  onRelease(name: string, release: () => unknown, withinMs?: number): void;
  /** Releases everything, once; later calls wait for the same. Throws `AggregateError` when some could not be. */
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
  let running: Promise<void> | undefined;
  let failure: Error | undefined;

  async function releaseAll(): Promise<void> {
    const end = Date.now() + totalMs - Math.min(SPARE_MS, totalMs / 10);
    const failures: unknown[] = [];
    for (let next = releases.pop(); next !== undefined; next = releases.pop()) {
      const { name, run, withinMs } = next;
      try {
        // Even with no time left each one is told to go: children have to be ended.
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
    running ??= releaseAll();
    return running;
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
    onRelease: (name, run, withinMs = USUAL_MS) => {
      releases.push({ name, run, withinMs });
    },
    release,
    stop: (error) => {
      failure ??= error;
      grace?.close();
    },
  };
}
