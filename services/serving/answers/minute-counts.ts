const MINUTE_MS = 60_000;

/** Counts per key in this process, which all begin again at zero when the minute ends. */
export class MinuteCounts<Key> {
  readonly #now: () => number;
  readonly #counts = new Map<Key, number>();
  #ends = 0;

  /** `now` in milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The number of keys that were counted in this minute. */
  get size(): number {
    this.#turn();
    return this.#counts.size;
  }

  has(key: Key): boolean {
    this.#turn();
    return this.#counts.has(key);
  }

  of(key: Key): number {
    this.#turn();
    return this.#counts.get(key) ?? 0;
  }

  /** `more` may be negative; no count falls below zero. */
  add(key: Key, more: number): void {
    this.#turn();
    this.#counts.set(key, Math.max(0, (this.#counts.get(key) ?? 0) + more));
  }

  /** Milliseconds until the minute ends. */
  resetMs(): number {
    this.#turn();
    // The minute may end between the two looks at the clock.
    return Math.max(0, this.#ends - this.#now());
  }

  #turn(): void {
    const now = this.#now();
    // A clock that was set back must not keep a minute open forever.
    if (now < this.#ends && now >= this.#ends - MINUTE_MS) return;
    this.#counts.clear();
    this.#ends = now + MINUTE_MS;
  }
}
