import { setTimeout as sleep } from "node:timers/promises";
import { EventLogError } from "#libs/event-log/errors.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";

const LONGEST_PAUSE_MS = 10_000;

export interface PersistentOptions {
  readonly signal: AbortSignal;
  /** The pause after the first failure, in milliseconds. */
  readonly firstPauseMs: number;
  /** Told once when something stops answering, and not for each further try. */
  readonly onTrouble: (error: Error) => void;
  /** Told once when it answers again, with the milliseconds it was away. */
  readonly onRecovery: (awayMs: number) => void;
}

/**
 * Does something until it succeeds: failures that may pass are tried again for ever, after pauses that double up to
 * 10 s and vary by half so that workers do not return in step. Rejects with any other failure, and with the last one
 * when the signal aborts.
 */
export async function persistently<T>(attempt: () => Promise<T>, options: PersistentOptions): Promise<T> {
  const { signal, firstPauseMs, onTrouble, onRecovery } = options;
  let since: number | null = null;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const result = await attempt();
      if (since !== null) onRecovery(performance.now() - since);
      return result;
    } catch (error) {
      if (!mayPass(error) || signal.aborted) throw error;
      if (since === null) onTrouble(error);
      since ??= performance.now();
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}

function mayPass(error: unknown): error is EventLogError | StatsStoreError {
  return (error instanceof EventLogError || error instanceof StatsStoreError) && error.canRetry;
}
