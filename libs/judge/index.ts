export { eventsOf, type JudgedCount, judgedRows, type RangeLine, readLines } from "./lines.ts";
export { createMemoryJudge, type MemoryJudgeOptions } from "./memory.ts";
export {
  type EventToJudge,
  type Judge,
  type JudgedRange,
  JudgeError,
  type Judgement,
  type PrivateVisitor,
} from "./port.ts";
export { createRedisJudge, type RedisJudgeOptions } from "./redis.ts";
