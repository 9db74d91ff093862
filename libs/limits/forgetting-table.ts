import { KeyHasher, OffHeapMap } from "#libs/off-heap-map/index.ts";

/** The entries of one span of time. */
interface Slot {
  span: number;
  readonly entries: OffHeapMap;
}

/**
 * Numbers by group and key that expire without timers: entries belong to a span of time, and the table keeps the two spans
 * used last. A late entry still finds the span before, and no jump of the clock makes the table grow. A span that fills up
 * starts again in the other slot, and `onForget` is called.
 */
export class ForgettingTable {
  readonly #maxPerSlot: number;
  readonly #onForget: (entries: number) => void;
  readonly #hasher = new KeyHasher();
  #young: Slot = { span: Number.NaN, entries: new OffHeapMap() };
  #old: Slot = { span: Number.NaN, entries: new OffHeapMap() };

  /** Holds `maxKeys` entries at most. `onForget` is called with the number of entries that were dropped in their span. */
  constructor(maxKeys: number, onForget: (entries: number) => void) {
    this.#maxPerSlot = Math.max(1, Math.floor(maxKeys / 2));
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#young.entries.size + this.#old.entries.size;
  }

  get(span: number, group: string, key: string): number | undefined {
    const value =
      this.#young.span === span ? this.#young.entries.get(this.#hasher.hash(group, key)) : undefined;
    return value === undefined && this.#old.span === span
      ? this.#old.entries.get(this.#hasher.hash(group, key))
      : value;
  }

  /** The first value that passes, the younger span first. */
  find(group: string, key: string, passes: (value: number) => boolean): number | undefined {
    const young = this.#young.entries.get(this.#hasher.hash(group, key));
    if (young !== undefined && passes(young)) return young;
    const old = this.#old.entries.get(this.#hasher.hash(group, key));
    return old !== undefined && passes(old) ? old : undefined;
  }

  /** Replaces the value in either span, if it is `expected`. */
  replace(group: string, key: string, expected: number, value: number): void {
    for (const { entries } of [this.#young, this.#old]) {
      const hashed = this.#hasher.hash(group, key);
      if (entries.get(hashed) === expected) entries.set(hashed, value);
    }
  }

  set(span: number, group: string, key: string, value: number): void {
    if (this.#young.span !== span) {
      this.#swap();
      if (this.#young.span !== span) clear(this.#young, span);
    }
    const hashed = this.#hasher.hash(group, key);
    if (this.#young.entries.size >= this.#maxPerSlot && this.#young.entries.get(hashed) === undefined)
      this.#startAgain(span);
    this.#young.entries.set(hashed, value);
  }

  clear(): void {
    clear(this.#young, Number.NaN);
    clear(this.#old, Number.NaN);
  }

  #startAgain(span: number): void {
    const dropped = this.#old.span === span ? this.#old.entries.size : 0;
    this.#swap();
    clear(this.#young, span);
    if (dropped > 0) this.#onForget(dropped);
  }

  #swap(): void {
    [this.#young, this.#old] = [this.#old, this.#young];
  }
}

function clear(slot: Slot, span: number): void {
  slot.entries.clear();
  slot.span = span;
}
