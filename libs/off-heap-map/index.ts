export { KeyHasher, type MapKey, OffHeapMap } from "./off-heap-map.ts";
