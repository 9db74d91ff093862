import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/http/index.ts";

const PAUSE_MS = 1_000;

/**
 * Tries until it succeeds or the service stops, each second again; tells once what it waits for. What `attempt` waits for
 * is expected to end by itself.
 */
export async function eventually(
  attempt: () => Promise<boolean>,
  waitingFor: string,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const stopped = new AbortController();
  shutdown.onRelease(`waiting for ${waitingFor}`, () => stopped.abort());
  let isTold = false;
  while (!stopped.signal.aborted) {
    const outcome = await attempt().catch((error: unknown) => ({ error }));
    if (outcome === true) {
      if (isTold) logger.warn(`no longer waiting for ${waitingFor}`);
      return;
    }
    if (!isTold)
      logger.warn(typeof outcome === "object" ? { err: outcome.error } : {}, `waiting for ${waitingFor}`);
    isTold = true;
    await pause(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
  }
}
