// The connection

export { openRedis, type RedisOptions } from "./connection.ts";
