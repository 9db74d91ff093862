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

  /** The result of the work, which begins at once and takes `places`. Throws `overShare()` or `full()` where they are not free. */
  async run<T>(caller: Caller, work: () => Promise<T>, places = 1): Promise<T> {
    const own = this.#taken.get(caller) ?? 0;
    if (own > 0 && own + places > this.#free) throw this.#refusals.overShare();
    if (places > this.#free) throw this.#refusals.full();
    this.#taken.set(caller, own + places);
    this.#free -= places;
    try {
      return await work();
    } finally {
      this.#free += places;
      const left = (this.#taken.get(caller) ?? places) - places;
      if (left > 0) this.#taken.set(caller, left);
      else this.#taken.delete(caller);
    }
  }
}
