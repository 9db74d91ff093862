import { Redis } from "ioredis";
import { backoffMs, within } from "#libs/async/index.ts";

/** Callers do not wait longer: they continue without Redis where they can. */
const RESPONDS_WITHIN_MS = 2_000;
const CONNECTS_WITHIN_MS = 5_000;
const RECONNECTS = { firstMs: 50, longestMs: 2_000 };

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`, with user, password and database. */
  readonly url: string;
  /** Certificates of the authority that signed the server's, in PEM; only with `rediss://`. */
  readonly ca?: string;
  /** The connection's name in `CLIENT LIST`. */
  readonly name: string;
  /** Called when the server becomes unavailable, with the reason, and when it is back. */
  readonly onWarning: (message: string, error?: unknown) => void;
}

/**
 * Opens a connection that reconnects without end. While the server is unavailable commands are rejected at once, and others
 * after 2 seconds without a response, so that nothing queues up. Resolves when the server responds, or after 5 seconds,
 * since a service also starts without Redis.
 */
export async function openRedis({ url, ca, name, onWarning }: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionName: name,
    connectTimeout: CONNECTS_WITHIN_MS,
    commandTimeout: RESPONDS_WITHIN_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => backoffMs(attempt, RECONNECTS),
  });
  let isAway = false;
  redis.on("error", (error) => {
    if (!isAway) onWarning("Redis is away; trying again until it is back.", error);
    isAway = true;
  });
  const ready = new Promise<void>((resolve) => {
    redis.on("ready", () => {
      if (isAway) onWarning("Redis is back.");
      isAway = false;
      resolve();
    });
  });
  await within(CONNECTS_WITHIN_MS, "connecting to Redis", ready).catch(() => undefined);
  return redis;
}
