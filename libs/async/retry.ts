import { setTimeout as sleep } from "node:timers/promises";

/** The pauses between attempts: each is twice the one before, from `firstMs` up to `longestMs`, in milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Shortens each pause at random, by half at most, so that several processes do not return in step. Default false. */
  readonly jitter?: boolean;
}

export interface RetryOptions extends BackoffLimits {
  /** Ends the attempts; the last failure is then the result. */
  readonly signal?: AbortSignal;
  /** Whether another attempt may succeed after this failure. Default: always. */
  readonly canRetry?: (error: unknown) => boolean;
  /** Called before each pause. */
  readonly onFailure?: (error: unknown) => void;
}

export interface KeepRunningOptions extends BackoffLimits {
  readonly signal: AbortSignal;
  /** Called when a run rejects while the signal is not aborted. */
  readonly onFailure: (error: unknown) => void;
}

/** The pause after this many failures in a row (from 1), in milliseconds. */
export function backoffMs(failures: number, { firstMs, longestMs, jitter = false }: BackoffLimits): number {
  const full = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return jitter ? full * (0.5 + Math.random() / 2) : full;
}

/** Counts failures in a row, for a loop that is not a `retry`. */
export class Backoff {
  readonly #limits: BackoffLimits;
  #failures = 0;

  constructor(limits: BackoffLimits) {
    this.#limits = limits;
  }

  /** Counts a failure and returns the pause after it, in milliseconds. */
  next(): number {
    this.#failures += 1;
    return backoffMs(this.#failures, this.#limits);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Attempts until one succeeds, with growing pauses. Rejects with the last failure when there is no further attempt. */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, canRetry = () => true, onFailure = () => undefined } = options;
  const backoff = new Backoff(options);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || !canRetry(error)) throw error;
      onFailure(error);
      await pause(backoff.next(), signal);
      if (signal?.aborted) throw error;
    }
  }
}

/**
 * Runs `work` again each time it ends or rejects, after growing pauses, until the signal aborts. A run that lasted longer
 * than `longestMs` resets the pauses. Never rejects.
 */
export async function keepRunning(work: () => Promise<void>, options: KeepRunningOptions): Promise<void> {
  const { signal, onFailure, longestMs } = options;
  const backoff = new Backoff(options);
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
    if (performance.now() - startedAt > longestMs) backoff.reset();
    await pause(backoff.next(), signal);
  }
}
