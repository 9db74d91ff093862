/** What was waited for did not come in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** Waits for the promise, but no longer than `withinMs`: then throws `TimeoutError`. The work itself is not stopped. */
export async function within<T>(withinMs: number, what: string, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeoutError(`${what} took over ${withinMs} ms`)), withinMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
