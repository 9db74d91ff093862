/** The work did not end in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/**
 * Waits for the promise for `withinMs` milliseconds at most, then throws `TimeoutError` with `what` in its message. Also
 * throws it as soon as the signal aborts. The work itself is not stopped.
 */
export async function within<T>(
  withinMs: number,
  what: string,
  promise: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeoutError(`${what} took over ${withinMs} ms`)), withinMs);
  const abort = () => reject(new TimeoutError(`${what} was called off`));
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
