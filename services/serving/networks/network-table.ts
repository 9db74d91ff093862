import { type AddressWords, readAddress } from "#libs/http/index.ts";
import type { Network } from "./network-list.ts";

/** Tells whether an address, in any spelling, is in one of the networks. */
export interface Networks {
  has(address: string): boolean;
}

/** For an installation that blocks none. */
export const NO_NETWORKS: Networks = { has: () => false };

/**
 * Networks in sorted tables, one per family, so that a look-up costs the logarithm of their number; before Node 24 `BlockList`
 * compares with each. An IPv6 network blocks no address of IPv4, which is looked up as such wherever it is written inside IPv6.
 */
export function createNetworkTable(networks: readonly Network[]): Networks {
  const families = [1, 4].map(
    (width) =>
      new Ranges(
        width,
        networks.filter(({ words }) => words.length === width),
      ),
  );
  const [ipv4, ipv6] = families;
  return {
    has(address) {
      const words = readAddress(address);
      if (words === null) return false;
      return (words.length === 1 ? ipv4 : ipv6)?.has(words) ?? false;
    },
  };
}

/** Ranges of addresses of one family, sorted and apart. */
class Ranges {
  readonly #width: number;
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;
  readonly #count: number;

  /** `width` is the number of words of an address. */
  constructor(width: number, networks: readonly Network[]) {
    this.#width = width;
    this.#firsts = new Uint32Array(networks.length * width);
    this.#lasts = new Uint32Array(networks.length * width);
    // Of networks with the same first address the largest comes first. Two networks are apart, or one is in the other.
    const sorted = networks
      .map(({ words, prefix }) => ({ first: fill(words, prefix, 0), last: fill(words, prefix, 0xffffffff) }))
      .toSorted((a, b) => compare(a.first, b.first, 0) || compare(b.last, a.last, 0));
    let count = 0;
    for (const { first, last } of sorted) {
      if (count > 0 && compare(last, this.#lasts, count - 1) <= 0) continue;
      this.#firsts.set(first, count * width);
      this.#lasts.set(last, count * width);
      count += 1;
    }
    this.#count = count;
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
