/** Of an entry: its key's two halves, then its value, which begins where a 64-bit float may. */
const INTS_PER_ENTRY = 4;
const FLOATS_PER_ENTRY = 2;
const SMALLEST_CAPACITY = 1024;
/** Over this share of taken places a search for a key that is not there gets long. */
const FULLEST = 0.6;

/** What a table knows a pair of texts by. */
export interface TableKey {
  readonly high: number;
  /** The two are never both 0: that is what an empty place looks like. */
  readonly low: number;
}

/**
 * Numbers by key, in one block of memory that the garbage collector never looks into: a map of as many texts costs
 * several times the memory, and every collection time.
 * Open addressing with linear probing (Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithm L); nothing is
 * ever taken out but everything.
 */
export class NumberTable {
  #capacity = SMALLEST_CAPACITY;
  #memory = new ArrayBuffer(SMALLEST_CAPACITY * INTS_PER_ENTRY * 4);
  #keys = new Int32Array(this.#memory);
  #values = new Float64Array(this.#memory);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ high, low }: TableKey): number | undefined {
    const place = this.#placeOf(high, low);
    return this.#isTaken(place) ? this.#values[place * FLOATS_PER_ENTRY + 1] : undefined;
  }

  set({ high, low }: TableKey, value: number): void {
    let place = this.#placeOf(high, low);
    if (!this.#isTaken(place)) {
      if (this.#size >= this.#capacity * FULLEST) {
        this.#grow();
        place = this.#placeOf(high, low);
      }
      this.#size += 1;
      this.#keys[place * INTS_PER_ENTRY] = high;
      this.#keys[place * INTS_PER_ENTRY + 1] = low;
    }
    this.#values[place * FLOATS_PER_ENTRY + 1] = value;
  }

  /** Forgets everything; keeps its memory for as many again, unless that was far too much. */
  clear(): void {
    if (this.#size < this.#capacity / 8) this.#resize(SMALLEST_CAPACITY);
    else this.#keys.fill(0);
    this.#size = 0;
  }

  #placeOf(high: number, low: number): number {
    const last = this.#capacity - 1;
    for (let place = low & last; ; place = (place + 1) & last) {
      const itsHigh = this.#keys[place * INTS_PER_ENTRY];
      const itsLow = this.#keys[place * INTS_PER_ENTRY + 1];
      if ((itsHigh === high && itsLow === low) || (itsHigh === 0 && itsLow === 0)) return place;
    }
  }

  #isTaken(place: number): boolean {
    return this.#keys[place * INTS_PER_ENTRY] !== 0 || this.#keys[place * INTS_PER_ENTRY + 1] !== 0;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    const before = this.#capacity;
    this.#resize(before * 2);
    for (let old = 0; old < before; old += 1) {
      const high = keys[old * INTS_PER_ENTRY] ?? 0;
      const low = keys[old * INTS_PER_ENTRY + 1] ?? 0;
      if (high === 0 && low === 0) continue;
      const place = this.#placeOf(high, low);
      this.#keys[place * INTS_PER_ENTRY] = high;
      this.#keys[place * INTS_PER_ENTRY + 1] = low;
      this.#values[place * FLOATS_PER_ENTRY + 1] = values[old * FLOATS_PER_ENTRY + 1] ?? 0;
    }
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    this.#memory = new ArrayBuffer(capacity * INTS_PER_ENTRY * 4);
    this.#keys = new Int32Array(this.#memory);
    this.#values = new Float64Array(this.#memory);
  }
}
