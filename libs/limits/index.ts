export { consumeByAddress } from "./by-address.ts";
export { createMemoryLimits, type MemoryLimitsOptions } from "./memory.ts";
export type { Limits, RateRule, RateVerdict } from "./port.ts";
export { createRedisLimits, type RedisLimitsOptions } from "./redis.ts";
