/** Wakes waiting readers when events are appended. */
export class Arrivals {
  #events = 0;
  readonly #wakers = new Set<() => void>();

  /** Events that arrived since its creation. */
  get events(): number {
    return this.#events;
  }

  add(events: number): void {
    this.#events += events;
    for (const wake of [...this.#wakers]) wake();
  }

  /** Resolves when `isEnough` (checked at each arrival), after `ms` milliseconds, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal, isEnough: () => boolean): Promise<void> {
    if (ms <= 0 || signal.aborted || isEnough()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      this.#wakers.delete(wake);
      resolve();
    };
    const wake = () => {
      if (isEnough()) end();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    this.#wakers.add(wake);
    return promise;
  }
}
