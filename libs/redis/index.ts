// The connection

export { openRedis, type RedisOptions } from "./connection.ts";
// Calls
export { NotSentError, RedisHealth, type RedisHealthOptions } from "./health.ts";
export { defineScript, runScript, type Script } from "./script.ts";
