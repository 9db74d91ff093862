// Snapshots from Postgres
export { createSnapshotSource } from "./load.ts";

// The store in this process's memory
export { createMemoryPlacements, type MemoryPlacementsOptions } from "./memory.ts";

// What a store of snapshots is
export * from "./port.ts";

// The store in line with Postgres
export { type RebuildOptions, rebuildSnapshots } from "./rebuild.ts";

// The store in Redis, which all processes share
export { createRedisPlacements, type RedisPlacementsOptions } from "./redis.ts";

// Its size
export { snapshotLength } from "./snapshot-length.ts";
