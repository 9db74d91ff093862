/** Shorter than marks live, by more than a reader takes for some ranges. */
const LONGEST_PAUSE_MS = 60_000;

/** Since when a judge has seen what occurred, and remembers it: since its start, or the last long pause, in which marks ended. */
export class Knowledge {
  readonly #now: () => number;
  #since = Date.now();
  #judged: { readonly at: number; readonly time: number };

  /** `now` gives milliseconds of a clock that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#judged = { at: now(), time: this.#since };
  }

  /** Milliseconds since the epoch. */
  get since(): number {
    return this.#now() - this.#judged.at > LONGEST_PAUSE_MS ? this.#judged.time : this.#since;
  }

  /** Notes that events were judged just now. */
  judged(): void {
    this.#since = this.since;
    this.#judged = { at: this.#now(), time: Date.now() };
  }
}
