export { KeyHasher, type MapKey, OffHeapMap } from "./off-heap-map.ts";
export { RecentNumbers, type RecentNumbersOptions } from "./recent-numbers.ts";
