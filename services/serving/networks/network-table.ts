import { setImmediate as nextRound } from "node:timers/promises";
import { type AddressWords, readAddress } from "#libs/http/index.ts";
import type { Network } from "./network-list.ts";

/** Tells whether an address, in any spelling, is in one of the networks. */
export interface Networks {
  has(address: string): boolean;
}

/** Networks that are sorted or merged in one go, some milliseconds: requests are answered in between. */
const AT_ONCE = 2_000;

/** For an installation that blocks none. */
export const NO_NETWORKS: Networks = { has: () => false };

/**
 * Networks in sorted tables, one per family, so that a look-up costs the logarithm of their number; before Node 24 `BlockList`
 * compares with each. An IPv6 network blocks no address of IPv4, which is looked up as such wherever it is written inside IPv6.
 */
export async function createNetworkTable(networks: readonly Network[]): Promise<Networks> {
  const families: Ranges[] = [];
  for (const width of [1, 4]) {
    const ofFamily = networks.filter(({ words }) => words.length === width);
    const ranges = new Ranges(width, ofFamily.length);
    for (const [index, range] of (await sortRanges(ofFamily)).entries()) {
      if (index % AT_ONCE === 0) await nextRound();
      ranges.add(range);
    }
    families.push(ranges);
  }
  const [ipv4, ipv6] = families;
  return {
    has(address) {
      const words = readAddress(address);
      if (words === null) return false;
      return (words.length === 1 ? ipv4 : ipv6)?.has(words) ?? false;
    },
  };
}

/** The addresses of a network. */
interface Range {
  readonly first: AddressWords;
  readonly last: AddressWords;
}

/** Sorts slices, and then merges them two by two, because sorting all at once would keep every caller waiting. */
async function sortRanges(networks: readonly Network[]): Promise<readonly Range[]> {
  let runs: (readonly Range[])[] = [];
  for (let start = 0; start < networks.length; start += AT_ONCE) {
    await nextRound();
    runs.push(
      networks
        .slice(start, start + AT_ONCE)
        .map(({ words, prefix }) => ({
          first: fill(words, prefix, 0),
          last: fill(words, prefix, 0xffffffff),
        }))
        .toSorted(byPlace),
    );
  }
  while (runs.length > 1) {
    const merged: (readonly Range[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(some: readonly Range[], others: readonly Range[]): Promise<readonly Range[]> {
  const merged: Range[] = [];
  let one = 0;
  let other = 0;
  while (one < some.length || other < others.length) {
    if (merged.length % AT_ONCE === 0) await nextRound();
    const [ours, theirs] = [some[one], others[other]];
    if (ours !== undefined && (theirs === undefined || byPlace(ours, theirs) <= 0)) {
      merged.push(ours);
      one += 1;
    } else if (theirs !== undefined) {
      merged.push(theirs);
      other += 1;
    }
  }
  return merged;
}

/** Of networks with the same first address the largest comes first. Two networks are apart, or one is in the other. */
function byPlace(one: Range, other: Range): number {
  return compare(one.first, other.first, 0) || compare(other.last, one.last, 0);
}

/** Ranges of addresses of one family, sorted and apart. */
class Ranges {
  readonly #width: number;
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;
  #count = 0;

  /** `width` is the number of words of an address, `most` that of the ranges. */
  constructor(width: number, most: number) {
    this.#width = width;
    this.#firsts = new Uint32Array(most * width);
    this.#lasts = new Uint32Array(most * width);
  }

  /** Takes ranges in order. One that is in the range before it adds nothing. */
  add({ first, last }: Range): void {
    if (this.#count > 0 && compare(last, this.#lasts, this.#count - 1) <= 0) return;
    this.#firsts.set(first, this.#count * this.#width);
    this.#lasts.set(last, this.#count * this.#width);
    this.#count += 1;
  }

  has(address: AddressWords): boolean {
    // How many ranges begin at the address or before it.
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(address, this.#firsts, middle) < 0) high = middle;
      else low = middle + 1;
    }
    return low > 0 && address.length === this.#width && compare(address, this.#lasts, low - 1) <= 0;
  }
}

/** Compares an address with the one at `index` of a table: negative if it comes before. */
function compare(address: AddressWords, table: ArrayLike<number>, index: number): number {
  const start = index * address.length;
  for (let at = 0; at < address.length; at += 1) {
    const difference = (address[at] ?? 0) - (table[start + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The words with all bits beyond the prefix taken from `rest`, all zeros or all ones. */
function fill(words: AddressWords, prefix: number, rest: number): number[] {
  return words.map((word, at) => {
    const kept = Math.min(Math.max(prefix - at * 32, 0), 32);
    // Shifting by 32 bits shifts by none.
    const mask = kept === 0 ? 0 : (0xffffffff << (32 - kept)) >>> 0;
    return ((word & mask) | (rest & ~mask)) >>> 0;
  });
}
