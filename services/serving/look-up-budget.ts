import type { AddressKey } from "#libs/http/index.ts";

/** Look-ups of ids that are not in memory, for one network in a window; those that find something are given back. */
const MOST_LOOK_UPS = 200;
const WINDOW_MS = 60_000;
/** Networks with a budget of their own; more than that share one. */
const MOST_NETWORKS = 20_000;
const OTHERS: AddressKey = "net others";

/**
 * Bounds the cost of callers who make up ids: each such id costs a look-up in the store and the database. Look-ups of ids that
 * exist are given back, and what is in memory is answered even when no look-ups are left.
 */
export class LookUpBudget {
  readonly #now: () => number;
  readonly #taken = new Map<AddressKey, number>();
  #windowEnds = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes one look-up; false when none is left. */
  take(network: AddressKey): boolean {
    const now = this.#now();
    // A clock that was set back must not keep a window open for ever.
    if (now >= this.#windowEnds || now < this.#windowEnds - WINDOW_MS) {
      this.#taken.clear();
      this.#windowEnds = now + WINDOW_MS;
    }
    const key = this.#keyOf(network);
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= MOST_LOOK_UPS) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }

  /** Gives one back. */
  giveBack(network: AddressKey): void {
    const key = this.#keyOf(network);
    const taken = this.#taken.get(key) ?? 0;
    if (taken > 0) this.#taken.set(key, taken - 1);
  }

  /** Until the window ends, in milliseconds. */
  resetMs(): number {
    return Math.max(0, this.#windowEnds - this.#now());
  }

  #keyOf(network: AddressKey): AddressKey {
    return this.#taken.has(network) || this.#taken.size < MOST_NETWORKS ? network : OTHERS;
  }
}
