/** What `FairPlaces` throws: the caller has its share, or nobody has a place. */
export interface FairPlacesRefusals {
  readonly overShare: () => Error;
  readonly full: () => Error;
}

/**
 * Places for work that callers share. A caller may have as many as it leaves free for all others, so alone it has half of them,
 * and no few callers have all.
 */
export class FairPlaces<Caller> {
  readonly #refusals: FairPlacesRefusals;
  readonly #taken = new Map<Caller, number>();
  #free: number;

  constructor(places: number, refusals: FairPlacesRefusals) {
    this.#free = places;
    this.#refusals = refusals;
  }

  /** The result of the work, which begins at once. Throws `overShare()` or `full()` where it has no place. */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const own = this.#taken.get(caller) ?? 0;
    if (own > 0 && own >= this.#free) throw this.#refusals.overShare();
    if (this.#free === 0) throw this.#refusals.full();
    this.#taken.set(caller, own + 1);
    this.#free -= 1;
    try {
      return await work();
    } finally {
      this.#free += 1;
      const left = (this.#taken.get(caller) ?? 1) - 1;
      if (left > 0) this.#taken.set(caller, left);
      else this.#taken.delete(caller);
    }
  }
}
