import { retry } from "#libs/async/index.ts";
import { EventLogError } from "#libs/event-log/index.ts";
import { JudgeError } from "#libs/judge/index.ts";
import { StatsStoreError } from "#libs/stats-store/index.ts";

const LONGEST_PAUSE_MS = 10_000;
/** What fails for this long is blocked, in milliseconds: an engine that restarts is back before. */
export const BLOCKED_AFTER_MS = 60_000;

export interface PersistentOptions {
  readonly signal: AbortSignal;
  /** The pause after the first failure, in milliseconds. */
  readonly firstPauseMs: number;
  /** Called with the first failure, and not with those of the retries. */
  readonly onTrouble: (error: Error) => void;
  /** Called with the first failure a minute or more after that. */
  readonly onBlocked: (error: Error) => void;
  /** Called when a retry succeeds, with the milliseconds since the first failure. */
  readonly onRecovery: (awayMs: number) => void;
}

/**
 * Retries without end what the log, the store or the judge says can be retried, after pauses that double up to 10 s. Rejects with any
 * other failure, and with the last one when the signal aborts.
 */
export async function persistently<T>(attempt: () => Promise<T>, options: PersistentOptions): Promise<T> {
  const { signal, firstPauseMs, onTrouble, onBlocked, onRecovery } = options;
  /** Zero until the first failure. */
  let failingSince = 0;
  let isBlocked = false;
  const onFailure = (error: unknown) => {
    if (!canRetry(error)) return;
    if (failingSince === 0) {
      failingSince = performance.now();
      onTrouble(error);
    } else if (!isBlocked && performance.now() - failingSince >= BLOCKED_AFTER_MS) {
      isBlocked = true;
      onBlocked(error);
    }
  };
  const limits = { firstMs: firstPauseMs, longestMs: LONGEST_PAUSE_MS, jitter: true };
  const result = await retry(attempt, { ...limits, signal, canRetry, onFailure });
  if (failingSince > 0) onRecovery(performance.now() - failingSince);
  return result;
}

function canRetry(error: unknown): error is EventLogError | StatsStoreError | JudgeError {
  if (error instanceof JudgeError) return true;
  return (error instanceof EventLogError || error instanceof StatsStoreError) && error.canRetry;
}
