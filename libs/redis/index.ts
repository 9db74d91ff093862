// The connection

export { duplicateForMessages, openRedis, type RedisClient, type RedisOptions } from "./connection.ts";
// Keys in a cluster
export { spreadTags } from "./hash-tags.ts";
// Calls
export { NotSentError, RedisHealth, type RedisHealthOptions } from "./health.ts";
export { defineScript, runScript, type Script } from "./script.ts";
