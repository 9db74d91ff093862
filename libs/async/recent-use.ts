import { LRUCache } from "lru-cache";

const HALF_LIFE_MS = 10_000;
/** Those who used nothing for long are forgotten first. */
const MOST_PARTIES = 10_000;

interface Use {
  readonly amount: number;
  readonly at: number;
}

/** How much of something scarce parties have used lately, such as milliseconds. */
export class RecentUse {
  readonly #uses = new LRUCache<string, Use>({ max: MOST_PARTIES });
  readonly #halfLifeMs: number;
  readonly #now: () => number;

  /** What was used counts half after `halfLifeMs`. */
  constructor(halfLifeMs = HALF_LIFE_MS, now: () => number = () => performance.now()) {
    this.#halfLifeMs = halfLifeMs;
    this.#now = now;
  }

  /** Lets the party have used this much at least. */
  raise(party: string, amount: number): void {
    if (amount > this.of(party)) this.#uses.set(party, { amount, at: this.#now() });
  }

  add(party: string, amount: number): void {
    this.#uses.set(party, { amount: this.of(party) + amount, at: this.#now() });
  }

  /**
   * Who comes next where milliseconds are used, of parties with the time since when they wait: who has used the least, less what they
   * have waited, so that nobody waits behind ever new ones. Of several the first; undefined of none.
   */
  nextOf(waiting: Iterable<readonly [party: string, since: number]>): string | undefined {
    const now = this.#now();
    let next: string | undefined;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [party, since] of waiting) {
      const rank = this.of(party) - (now - since);
      if (rank >= smallest) continue;
      smallest = rank;
      next = party;
    }
    return next;
  }

  /** What of the party's use counts now. */
  of(party: string): number {
    const use = this.#uses.get(party);
    return use === undefined ? 0 : use.amount * 0.5 ** ((this.#now() - use.at) / this.#halfLifeMs);
  }
}
