import type { AddressKey } from "#libs/http/index.ts";

/** Lookups per network in a window; those that find something are refunded. */
const MAX_LOOKUPS = 200;
const WINDOW_MS = 60_000;
/** Networks counted one by one; those beyond share one count. */
const MAX_NETWORKS = 20_000;
const OTHERS: AddressKey = "net others";

/**
 * Limits what callers cost who make up ids: each such id is looked up in the store and the database. Lookups of ids that
 * exist are refunded, and ids in memory need no lookup.
 */
export class LookupLimiter {
  readonly #now: () => number;
  readonly #used = new Map<AddressKey, number>();
  #windowEnds = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a lookup; false when the network has none left. */
  take(network: AddressKey): boolean {
    const now = this.#now();
    // A clock that was set back must not keep a window open forever.
    if (now >= this.#windowEnds || now < this.#windowEnds - WINDOW_MS) {
      this.#used.clear();
      this.#windowEnds = now + WINDOW_MS;
    }
    const key = this.#keyOf(network);
    const used = this.#used.get(key) ?? 0;
    if (used >= MAX_LOOKUPS) return false;
    this.#used.set(key, used + 1);
    return true;
  }

  refund(network: AddressKey): void {
    const key = this.#keyOf(network);
    const used = this.#used.get(key) ?? 0;
    if (used > 0) this.#used.set(key, used - 1);
  }

  /** Milliseconds until the window ends. */
  resetMs(): number {
    return Math.max(0, this.#windowEnds - this.#now());
  }

  #keyOf(network: AddressKey): AddressKey {
    return this.#used.has(network) || this.#used.size < MAX_NETWORKS ? network : OTHERS;
  }
}
