import type { Logger } from "pino";
import { pause, type Shutdown } from "#libs/async/index.ts";

const PAUSE_MS = 1_000;

/** Attempts every second until it succeeds or the service stops. Logs once what it waits for. Each `attempt` must end by itself. */
export async function eventually(
  attempt: () => Promise<boolean>,
  waitingFor: string,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const stopped = new AbortController();
  shutdown.onRelease(`waiting for ${waitingFor}`, () => stopped.abort());
  let isLogged = false;
  while (!stopped.signal.aborted) {
    const outcome = await attempt().catch((error: unknown) => ({ error }));
    if (outcome === true) {
      if (isLogged) logger.warn(`no longer waiting for ${waitingFor}`);
      return;
    }
    if (!isLogged)
      logger.warn(typeof outcome === "object" ? { err: outcome.error } : {}, `waiting for ${waitingFor}`);
    isLogged = true;
    await pause(PAUSE_MS, stopped.signal);
  }
}
