export { consumeByAddress } from "./by-address.ts";
export { LimitsError, type LimitsErrorCode } from "./errors.ts";
export { createMemoryLimits, type MemoryLimitsOptions } from "./memory.ts";
export type {
  BatchToJudge,
  EventToJudge,
  JudgedBatch,
  Judgement,
  Limits,
  RateRule,
  RateVerdict,
  TrackingLimits,
} from "./port.ts";
export { createRedisLimits, type RedisLimitsOptions } from "./redis.ts";
