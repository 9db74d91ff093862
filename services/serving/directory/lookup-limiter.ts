import type { AddressKey } from "#libs/http/index.ts";
import { MinuteCounts } from "../answers/minute-counts.ts";

/** Lookups per network and minute; those that find something are refunded. */
const MAX_LOOKUPS = 200;
/** Networks counted one by one; those beyond share one count. */
const MAX_NETWORKS = 20_000;
const OTHERS: AddressKey = "net others";

/**
 * Limits what callers cost who make up ids: each such id is looked up in the store and the database. Lookups of ids that
 * exist are refunded, and ids in memory need no lookup.
 */
export class LookupLimiter {
  readonly #used: MinuteCounts<AddressKey>;

  constructor(now: () => number) {
    this.#used = new MinuteCounts(now);
  }

  /** Counts a lookup; false when the network has none left. */
  take(network: AddressKey): boolean {
    const key = this.#keyOf(network);
    if (this.#used.of(key) >= MAX_LOOKUPS) return false;
    this.#used.add(key, 1);
    return true;
  }

  refund(network: AddressKey): void {
    const key = this.#keyOf(network);
    if (this.#used.has(key)) this.#used.add(key, -1);
  }

  /** Milliseconds until the minute ends. */
  resetMs(): number {
    return this.#used.resetMs();
  }

  #keyOf(network: AddressKey): AddressKey {
    return this.#used.has(network) || this.#used.size < MAX_NETWORKS ? network : OTHERS;
  }
}
