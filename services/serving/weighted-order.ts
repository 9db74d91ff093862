import { drawUnit, type IdHash, type Seed } from "./unit-draw.ts";

/** What has a place in the order in proportion to its weight. */
export interface Weighted {
  readonly id: string;
  readonly idHash: IdHash;
  /** Finite and over 0. */
  readonly weight: number;
}

/**
 * Weighted sampling without replacement, after Efraimidis and Spirakis ("Weighted random sampling with a reservoir",
 * 2006): ascending by -ln(u) / weight, each first place falls to an item with the probability weight / sum of weights,
 * and so on for the rest. Compared are the logarithms of the keys, which neither overflow nor vanish for any weight.
 * An item's key depends on nothing but seed, id and weight, so leaving others out keeps the order of those that stay.
 */
export function orderByWeight<T extends Weighted>(items: readonly T[], seed: Seed): T[] {
  return items
    .map((item) => ({ item, key: Math.log(-Math.log(drawUnit(seed, item.idHash))) - Math.log(item.weight) }))
    .sort((left, right) => left.key - right.key || (left.item.id < right.item.id ? -1 : 1))
    .map(({ item }) => item);
}
