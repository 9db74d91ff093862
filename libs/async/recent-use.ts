import { LRUCache } from "lru-cache";

/** What was used counts half after this long. */
const HALF_LIFE_MS = 10_000;
/** Those who used nothing for long are forgotten first. */
const MOST_PARTIES = 10_000;

interface Use {
  readonly amount: number;
  readonly at: number;
}

/** How much of something scarce parties have used lately. */
export class RecentUse {
  readonly #uses = new LRUCache<string, Use>({ max: MOST_PARTIES });
  readonly #now: () => number;

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(party: string, amount: number): void {
    this.#uses.set(party, { amount: this.#of(party) + amount, at: this.#now() });
  }

  /** The party that has used the least, of several the first; undefined of none. */
  leastOf(parties: Iterable<string>): string | undefined {
    let least: string | undefined;
    let smallest = Number.POSITIVE_INFINITY;
    for (const party of parties) {
      const used = this.#of(party);
      if (used >= smallest) continue;
      smallest = used;
      least = party;
    }
    return least;
  }

  #of(party: string): number {
    const use = this.#uses.get(party);
    return use === undefined ? 0 : use.amount * 0.5 ** ((this.#now() - use.at) / HALF_LIFE_MS);
  }
}
