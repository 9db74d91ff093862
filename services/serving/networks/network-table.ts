import { setImmediate as nextRound } from "node:timers/promises";
import { type AddressWords, readAddress } from "#libs/http/index.ts";
import type { Network } from "./network-list.ts";

/** Tells whether an address, in any spelling, is in one of the networks. */
export interface Networks {
  has(address: string): boolean;
}

/** Networks that are added in one go, some milliseconds: requests are answered in between. */
const AT_ONCE = 2_000;

/** For an installation that blocks none. */
export const NO_NETWORKS: Networks = { has: () => false };

/** The beginnings of the networks that have a prefix. */
type ByPrefix = Map<number, Set<number | string>>;

/**
 * Networks by prefix: a look-up asks once per prefix that the list has, a dozen in most. `BlockList` takes 80 MB for 100,000
 * networks, outside the heap, where a list that was replaced stays until something else fills the heap. An IPv6 network blocks
 * no address of IPv4, which is looked up as such wherever it is written inside IPv6.
 */
export async function createNetworkTable(networks: readonly Network[]): Promise<Networks> {
  const ipv4: ByPrefix = new Map();
  const ipv6: ByPrefix = new Map();
  const familyOf = (words: AddressWords) => (words.length === 1 ? ipv4 : ipv6);
  for (const [index, { words, prefix }] of networks.entries()) {
    if (index % AT_ONCE === 0) await nextRound();
    const beginnings = familyOf(words).get(prefix) ?? new Set();
    familyOf(words).set(prefix, beginnings.add(beginningOf(words, prefix)));
  }
  return {
    has(address) {
      const words = readAddress(address);
      if (words === null) return false;
      for (const [prefix, beginnings] of familyOf(words)) {
        if (beginnings.has(beginningOf(words, prefix))) return true;
      }
      return false;
    },
  };
}

/** The first `prefix` bits. */
function beginningOf(words: AddressWords, prefix: number): number | string {
  const whole = Math.ceil(prefix / 32) - 1;
  const rest = (words[whole] ?? 0) >>> ((whole + 1) * 32 - prefix);
  return whole === 0 ? rest : `${words.slice(0, whole).join()},${rest}`;
}
