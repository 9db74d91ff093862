import type { TableKey } from "./number-table.ts";

const HIGH_FACTOR = 2654435761;
const LOW_FACTOR = 1597334677;
/** No text has this code in it, so no other pair of texts makes the same row of codes. */
const BETWEEN = 0x10000;

/**
 * Makes keys of tables from pairs of texts: 64 bits, for texts that nobody chooses (keyed hashes, our ids). Two of a
 * million then have the same once in 30 million times. The texts are gone through once however often they are asked
 * for in a row; each key made takes the place of the last. The mixing is cyrb53's, whose end is MurmurHash3's.
 */
export class TableKeys implements TableKey {
  high = 0;
  low = 0;
  #group = "";
  #key = "";

  of(group: string, key: string): TableKey {
    if (this.#group === group && this.#key === key && this.low !== 0) return this;
    this.#group = group;
    this.#key = key;
    this.high = 0xdeadbeef;
    this.low = 0x41c6ce57;
    this.#add(group);
    this.#mix(BETWEEN);
    this.#add(key);
    this.#finish();
    return this;
  }

  #add(text: string): void {
    let { high, low } = this;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      high = Math.imul(high ^ code, HIGH_FACTOR);
      low = Math.imul(low ^ code, LOW_FACTOR);
    }
    this.high = high;
    this.low = low;
  }

  #mix(code: number): void {
    this.high = Math.imul(this.high ^ code, HIGH_FACTOR);
    this.low = Math.imul(this.low ^ code, LOW_FACTOR);
  }

  #finish(): void {
    const { high, low } = this;
    const mixed = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    this.high = mixed;
    this.low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(mixed ^ (mixed >>> 13), 3266489909) || 1;
  }
}
