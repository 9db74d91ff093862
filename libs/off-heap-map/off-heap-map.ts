/** Int32 per entry: the two halves of its key, then its value, which begins where a 64-bit float may. */
const INTS_PER_ENTRY = 4;
const FLOATS_PER_ENTRY = 2;
const SMALLEST_CAPACITY = 1024;
/** A fuller table has long searches for keys that are not there. */
const MAX_LOAD = 0.6;

/** 64 bits of a pair of strings. Never both 0, which marks an empty entry. */
export interface MapKey {
  readonly high: number;
  readonly low: number;
}

/**
 * Numbers by key, in one block of memory outside the garbage-collected heap. Open addressing with linear probing (Knuth,
 * The Art of Computer Programming, vol. 3, 6.4, algorithms L and R).
 */
export class OffHeapMap {
  #capacity = SMALLEST_CAPACITY;
  #memory = new ArrayBuffer(SMALLEST_CAPACITY * INTS_PER_ENTRY * 4);
  #keys = new Int32Array(this.#memory);
  #values = new Float64Array(this.#memory);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ high, low }: MapKey): number | undefined {
    const entry = this.#entryOf(high, low);
    return this.#isEmpty(entry) ? undefined : this.#values[entry * FLOATS_PER_ENTRY + 1];
  }

  set({ high, low }: MapKey, value: number): void {
    let entry = this.#entryOf(high, low);
    if (this.#isEmpty(entry)) {
      if (this.#size >= this.#capacity * MAX_LOAD) {
        this.#grow();
        entry = this.#entryOf(high, low);
      }
      this.#size += 1;
    }
    this.#write(entry, high, low, value);
  }

  /** Deletes the entry, if there is one, and moves those that a search would no longer reach. */
  delete({ high, low }: MapKey): void {
    const last = this.#capacity - 1;
    let gap = this.#entryOf(high, low);
    if (this.#isEmpty(gap)) return;
    this.#size -= 1;
    for (let entry = (gap + 1) & last; !this.#isEmpty(entry); entry = (entry + 1) & last) {
      const entryHigh = this.#keys[entry * INTS_PER_ENTRY] ?? 0;
      const entryLow = this.#keys[entry * INTS_PER_ENTRY + 1] ?? 0;
      // Its search begins at or before the gap, so it may fill the gap.
      const fromStart = (entry - (entryLow & last)) & last;
      if (fromStart < ((entry - gap) & last)) continue;
      this.#write(gap, entryHigh, entryLow, this.#values[entry * FLOATS_PER_ENTRY + 1] ?? 0);
      gap = entry;
    }
    this.#write(gap, 0, 0, 0);
  }

  /** Deletes everything. Keeps the memory for as many entries again, unless most of it was unused. */
  clear(): void {
    if (this.#size < this.#capacity / 8) this.#resize(SMALLEST_CAPACITY);
    else this.#keys.fill(0);
    this.#size = 0;
  }

  /** The entry of the key, or the empty one where it would be. */
  #entryOf(high: number, low: number): number {
    const last = this.#capacity - 1;
    for (let entry = low & last; ; entry = (entry + 1) & last) {
      const entryHigh = this.#keys[entry * INTS_PER_ENTRY];
      const entryLow = this.#keys[entry * INTS_PER_ENTRY + 1];
      if ((entryHigh === high && entryLow === low) || (entryHigh === 0 && entryLow === 0)) return entry;
    }
  }

  #isEmpty(entry: number): boolean {
    return this.#keys[entry * INTS_PER_ENTRY] === 0 && this.#keys[entry * INTS_PER_ENTRY + 1] === 0;
  }

  #write(entry: number, high: number, low: number, value: number): void {
    this.#keys[entry * INTS_PER_ENTRY] = high;
    this.#keys[entry * INTS_PER_ENTRY + 1] = low;
    this.#values[entry * FLOATS_PER_ENTRY + 1] = value;
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
      this.#write(this.#entryOf(high, low), high, low, values[old * FLOATS_PER_ENTRY + 1] ?? 0);
    }
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    this.#memory = new ArrayBuffer(capacity * INTS_PER_ENTRY * 4);
    this.#keys = new Int32Array(this.#memory);
    this.#values = new Float64Array(this.#memory);
  }
}

const HIGH_FACTOR = 2654435761;
const LOW_FACTOR = 1597334677;
/** No string has this code unit, so no other pair of strings makes the same row of code units. */
const SEPARATOR = 0x10000;

/**
 * Hashes pairs of strings that callers cannot choose (keyed hashes, our ids) to 64 bits: of a million pairs, two share
 * their bits once in 30 million times. Each call returns this object, with the new bits; the pair of the last call is not
 * hashed again. The mixing is that of cyrb53, its end that of MurmurHash3.
 */
export class KeyHasher implements MapKey {
  high = 0;
  low = 0;
  #group = "";
  #key = "";

  hash(group: string, key: string): MapKey {
    if (this.#group === group && this.#key === key && this.low !== 0) return this;
    this.#group = group;
    this.#key = key;
    this.high = 0xdeadbeef;
    this.low = 0x41c6ce57;
    this.#add(group);
    this.high = Math.imul(this.high ^ SEPARATOR, HIGH_FACTOR);
    this.low = Math.imul(this.low ^ SEPARATOR, LOW_FACTOR);
    this.#add(key);
    this.#finish();
    return this;
  }

  /** In local variables, which are several times as fast as fields. */
  #add(text: string): void {
    let { high, low } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, HIGH_FACTOR);
      low = Math.imul(low ^ code, LOW_FACTOR);
    }
    this.high = high;
    this.low = low;
  }

  #finish(): void {
    const { high, low } = this;
    const mixed = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    this.high = mixed;
    this.low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(mixed ^ (mixed >>> 13), 3266489909) || 1;
  }
}
