import { Cluster, Redis } from "ioredis";
import { backoffMs, within } from "#libs/async/index.ts";

/** Callers do not wait longer: they continue without Redis where they can. */
const RESPONDS_WITHIN_MS = 2_000;
const CONNECTS_WITHIN_MS = 5_000;
const RECONNECTS = { firstMs: 50, longestMs: 2_000 };
/** A server that has become a replica may have done so for good, or another has taken its place at the address. */
const READ_ONLY_RECONNECTS_EVERY_MS = 10_000;
/** A node that does not answer tells nobody that another has taken its place. */
const SLOTS_EVERY_MS = 1_000;
const SLOTS_WITHIN_MS = 500;
/** After a failed attempt a command waits for the cluster to change. */
const CLUSTER_PAUSE_MS = 50;

/** A connection to one server, or to a cluster. */
export type RedisClient = Redis | Cluster;

export interface RedisOptions {
  /**
   * `redis://` or, with TLS, `rediss://`, with user, password and database. Several, joined by commas, are nodes of a cluster
   * that tell the others; user and password are those of the first.
   */
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
export async function openRedis(options: RedisOptions): Promise<RedisClient> {
  const { onWarning } = options;
  const redis = connect(options);
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

function connect({ url, ca, name }: RedisOptions): RedisClient {
  const ofNode = {
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionName: name,
    connectTimeout: CONNECTS_WITHIN_MS,
    commandTimeout: RESPONDS_WITHIN_MS,
  };
  const retryStrategy = (attempt: number) => backoffMs(attempt, RECONNECTS);
  const [first = url, ...others] = url.split(",");
  if (others.length === 0)
    return new Redis(first, {
      ...ofNode,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy,
      reconnectOnError: reconnectsToPrimary(),
    });
  const { protocol, username, password } = new URL(first);
  return new Cluster(
    [first, ...others].map((node) => {
      const { hostname, port } = new URL(node);
      return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 6379) };
    }),
    {
      redisOptions: {
        // Nodes tell their names, by which their certificates are checked.
        ...(protocol === "rediss:" ? { tls: {} } : {}),
        ...ofNode,
        ...(username === "" ? {} : { username: decodeURIComponent(username) }),
        ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      },
      dnsLookup: (address, found) => found(null, address),
      enableOfflineQueue: false,
      clusterRetryStrategy: retryStrategy,
      retryDelayOnFailover: CLUSTER_PAUSE_MS,
      retryDelayOnClusterDown: CLUSTER_PAUSE_MS,
      retryDelayOnTryAgain: CLUSTER_PAUSE_MS,
      slotsRefreshInterval: SLOTS_EVERY_MS,
      slotsRefreshTimeout: SLOTS_WITHIN_MS,
    },
  );
}

/** A connection outlives a failover that gives its address to another server: only a new one reaches that. */
function reconnectsToPrimary(): (error: Error) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    if (!message.includes("READONLY") || now - last < READ_ONLY_RECONNECTS_EVERY_MS) return false;
    last = now;
    return true;
  };
}

/** A second connection, for messages: a subscribed one can do nothing else. It subscribes again after a reconnect. */
export function duplicateForMessages(redis: RedisClient): RedisClient {
  if (redis instanceof Cluster) return redis.duplicate([], { enableOfflineQueue: true });
  return redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
}
