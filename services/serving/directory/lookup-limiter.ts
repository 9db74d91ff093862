import { type AddressKey, NETWORKS_OF_A_SITE, siteOf } from "#libs/http/index.ts";
import { MinuteCounts } from "../answers/minute-counts.ts";

/** Lookups per network and minute; of several ids at once, those that do not exist count. */
const MAX_LOOKUPS = 200;
/** Loading this much of a snapshot, by its size in memory, or writing it, takes some milliseconds of CPU and counts as a lookup. */
const BYTES_OF_A_LOOKUP = 512 * 1024;
/** Networks counted one by one; those beyond share the lookups of `OTHERS_COUNT_AS` networks. */
const MAX_NETWORKS = 20_000;
const OTHERS_COUNT_AS = 100;
const OTHERS: AddressKey = "net others";

/**
 * Limits what callers cost who make up ids: each such id is looked up in the store and the database. Lookups of ids that
 * exist do not count, and ids in memory need no lookup. A large snapshot counts by its size: without that, a few
 * snapshots too large for memory together would be loaded again with each request. So does a large answer that is not cached: callers
 * could make up queries, each for another answer, and read none.
 */
export class LookupLimiter {
  readonly #used: MinuteCounts<AddressKey>;

  constructor(now: () => number) {
    this.#used = new MinuteCounts(now);
  }

  /** Counts a lookup; false when the network, or its site, has none left. */
  take(network: AddressKey): boolean {
    const site = siteOf(network);
    const counts = [this.#countOf(network, MAX_LOOKUPS)];
    if (site !== null) counts.push(this.#countOf(site, MAX_LOOKUPS * NETWORKS_OF_A_SITE));
    if (counts.some(({ key, most }) => this.#used.of(key) >= most)) return false;
    for (const { key } of counts) this.#used.add(key, 1);
    return true;
  }

  /** After a lookup that was taken: counts each id that does not exist instead. */
  settle(network: AddressKey, unknown: number): void {
    this.#add(network, unknown - 1);
  }

  /** Counts the writing of an answer of that size; false when the network, or its site, has no lookups left. */
  takeWriting(network: AddressKey, bytes: number): boolean {
    if (!this.take(network)) return false;
    this.#add(network, bytes / BYTES_OF_A_LOOKUP - 1);
    return true;
  }

  /** Counts the load of a snapshot of that size. */
  charge(network: AddressKey, bytes: number): void {
    this.#add(network, Math.floor(bytes / BYTES_OF_A_LOOKUP));
  }

  #add(network: AddressKey, lookups: number): void {
    for (const counted of [network, siteOf(network)]) {
      if (counted === null) continue;
      const key = this.#keyOf(counted);
      if (this.#used.has(key)) this.#used.add(key, lookups);
    }
  }

  /** Milliseconds until the minute ends. */
  resetMs(): number {
    return this.#used.resetMs();
  }

  #countOf(network: AddressKey, most: number) {
    const key = this.#keyOf(network);
    return { key, most: key === OTHERS ? MAX_LOOKUPS * OTHERS_COUNT_AS : most };
  }

  #keyOf(network: AddressKey): AddressKey {
    return this.#used.has(network) || this.#used.size < MAX_NETWORKS ? network : OTHERS;
  }
}
