import { createHmac } from "node:crypto";
import type { IdHash } from "../directory/prepared-snapshot.ts";

/** 128 bits that identify one rotation: the secret, the window, the workspace and the filters. */
export type Seed = readonly [number, number, number, number];

/** An item whose place in the order depends on its weight. */
export interface Weighted {
  readonly id: string;
  readonly idHash: IdHash;
  /** Finite and over 0. */
  readonly weight: number;
}

interface Keyed<T> {
  readonly item: T;
  readonly key: number;
}

/**
 * The first `count` items of a weighted sampling without replacement, after Efraimidis and Spirakis ("Weighted random
 * sampling with a reservoir", 2006): ascending by -ln(u) / weight, an item comes first with the probability weight / sum of
 * weights, and so on for the rest. The logarithms of these keys are compared, which neither overflow nor vanish for any
 * weight. An item's key depends only on seed, id and weight, so leaving others out keeps the order of the rest.
 */
export function orderByWeight<T extends Weighted>(
  items: readonly T[],
  seed: Seed,
  count: number = items.length,
): T[] {
  // Most of many items come after the first `count` of those before them, so they need no sorting.
  let first: Keyed<T>[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const key = Math.log(-Math.log(drawUnit(seed, item.idHash))) - Math.log(item.weight);
    if (key > last) continue;
    first.push({ item, key });
    if (first.length < 2 * count) continue;
    first = first.sort(byKey).slice(0, count);
    last = first.at(-1)?.key ?? last;
  }
  return first
    .sort(byKey)
    .slice(0, count)
    .map(({ item }) => item);
}

function byKey(left: Keyed<Weighted>, right: Keyed<Weighted>): number {
  return left.key - right.key || (left.item.id < right.item.id ? -1 : 1);
}

/** The seed of a rotation. `parts` are separated by line breaks, so none of them may contain one. */
export function createSeed(secret: string, parts: readonly (string | number)[]): Seed {
  const digest = createHmac("sha256", secret).update(parts.join("\n")).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
}

/**
 * A number evenly spread over the open interval (0, 1), the same for the same seed and id in every process. Cheap,
 * because a large workspace draws thousands at once: the expensive hashing was done for the two arguments.
 */
export function drawUnit(seed: Seed, id: IdHash): number {
  const a = mix(seed[0] ^ id.high);
  const b = mix(seed[1] ^ id.low ^ a);
  const high = mix(seed[2] ^ a ^ Math.imul(b, 0x9e3779b1));
  const low = mix(seed[3] ^ b ^ Math.imul(high, 0x85ebca77));
  // 52 bits and a half: exact as a double, and never 0 or 1.
  return ((high >>> 6) * 0x4000000 + (low >>> 6) + 0.5) * 2 ** -52;
}

/** A bijection of 32 bits in which each input bit flips each output bit about half of the time ("lowbias32"). */
function mix(word: number): number {
  let x = word ^ (word >>> 16);
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0x735a2d97);
  return x ^ (x >>> 15);
}
