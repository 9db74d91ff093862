import { type MapKey, OffHeapMap } from "./off-heap-map.ts";

export interface RecentNumbersOptions {
  /** Most entries. Beyond it the older half is dropped before its time. */
  readonly maxKeys: number;
  /** An entry lives this long at least and twice as long at most, in milliseconds. */
  readonly livesMs: number;
  /** Milliseconds of a clock that only goes forward. Default `performance.now`. */
  readonly now?: () => number;
}

/** Numbers by key that expire without timers: in two generations, of which the older is dropped as a whole. */
export class RecentNumbers {
  readonly #maxYoung: number;
  readonly #livesMs: number;
  readonly #now: () => number;
  #young = new OffHeapMap();
  #old = new OffHeapMap();
  #youngUntil: number;

  constructor({ maxKeys, livesMs, now = () => performance.now() }: RecentNumbersOptions) {
    this.#maxYoung = Math.max(1, Math.floor(maxKeys / 2));
    this.#livesMs = livesMs;
    this.#now = now;
    this.#youngUntil = now() + livesMs;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Drops what is over. To be called now and then, for example before a batch. */
  expire(): void {
    const now = this.#now();
    if (now < this.#youngUntil) return;
    if (now >= this.#youngUntil + this.#livesMs) this.#young.clear();
    this.#begin(now);
  }

  get(key: MapKey): number | undefined {
    const young = this.#young.get(key);
    return young === undefined && this.#old.size > 0 ? this.#old.get(key) : young;
  }

  set(key: MapKey, value: number): void {
    if (this.#young.size >= this.#maxYoung && this.#young.get(key) === undefined) this.#begin(this.#now());
    this.#young.set(key, value);
  }

  #begin(now: number): void {
    [this.#young, this.#old] = [this.#old, this.#young];
    this.#young.clear();
    this.#youngUntil = now + this.#livesMs;
  }
}
