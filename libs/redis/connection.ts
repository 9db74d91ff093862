import { Redis } from "ioredis";
import { within } from "#libs/http/index.ts";

/** A caller that waits longer has other things to do; the work goes on without Redis where it can. */
const ANSWERS_WITHIN_MS = 2_000;
const CONNECTS_WITHIN_MS = 5_000;
const LONGEST_PAUSE_MS = 2_000;

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`; user, password and database in it. */
  readonly url: string;
  /** Certificates of the authority that signed the server's, in PEM; only with `rediss://`. */
  readonly ca?: string;
  /** How the connection is called in Redis's own list of clients. */
  readonly name: string;
  /** Told when the server goes away, with why, and when it is back. */
  readonly onWarning: (message: string, error?: unknown) => void;
}

/**
 * Opens a connection that comes back by itself for ever. While the server is away commands are rejected at once, and one
 * that is not answered within 2 seconds is rejected too: nothing queues up. Resolves when the server answers, at the
 * latest after 5 seconds, because a service starts without Redis as well.
 */
export async function openRedis({ url, ca, name, onWarning }: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionName: name,
    connectTimeout: CONNECTS_WITHIN_MS,
    commandTimeout: ANSWERS_WITHIN_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(25 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
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
