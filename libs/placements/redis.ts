import type { Redis } from "ioredis";
import { z } from "zod";
import type { Placements, Snapshot } from "./port.ts";

/** A workspace that nobody has asked for or changed in this time is loaded again when somebody does. */
const KEPT_SECONDS = 30 * 86_400;

/**
 * Stores a snapshot over the same or an older version and tells of it, as one step. KEYS: the workspace's hash. ARGV:
 * version, snapshot, seconds to keep it, channel, announcement. The channel is none of the keys: messages are for every
 * node of a cluster.
 */
const PUBLISH = `
  local stored = redis.call('HGET', KEYS[1], 'version')
  if stored and tonumber(stored) > tonumber(ARGV[1]) then return 0 end
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'snapshot', ARGV[2])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  redis.call('PUBLISH', ARGV[4], ARGV[5])
  return 1
`;

const announcement = z.object({ workspaceId: z.string(), version: z.number() });
/** Only management writes here, in the shape that the types describe; a part that is missing is another program's data. */
const storedSnapshot = z.custom<Snapshot>(
  (value) =>
    z
      .object({
        workspaceId: z.string(),
        version: z.number(),
        ads: z.array(z.object({ id: z.string() })),
        tiers: z.array(z.object({ id: z.string() })),
      })
      .safeParse(value).success,
);

export interface RedisPlacementsOptions {
  /** From `openRedis`; stays its caller's to close. */
  readonly redis: Redis;
  /** Before each key and the channel: installations that share a server keep apart by it. Default `placard`. */
  readonly prefix?: string;
  /** Told when what is stored or announced cannot be read. */
  readonly onWarning: (message: string, error?: unknown) => void;
}

/** The store of snapshots that all processes of an installation share. */
export async function createRedisPlacements(options: RedisPlacementsOptions): Promise<Placements> {
  const { redis, prefix = "placard", onWarning } = options;
  const channel = `${prefix}:placements`;
  const keyOf = (workspaceId: string) => `${prefix}:placement:{${workspaceId}}`;
  const subscribers = new Set<(workspaceId: string, version: number) => void>();

  // A connection that listens can do nothing else. It listens again by itself whenever it comes back.
  const listener = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
  // The other connection has told that the server is away.
  listener.on("error", () => undefined);
  listener.on("message", (_channel, message) => {
    const parsed = announcement.safeParse(readJson(message));
    if (!parsed.success) return onWarning("An announcement of a snapshot cannot be read.", parsed.error);
    const { workspaceId, version } = parsed.data;
    for (const tell of subscribers) tell(workspaceId, version);
  });
  const listening = listener.subscribe(channel);
  listening.catch(() => undefined);
  if (redis.status === "ready") await listening;

  return {
    async publish(snapshot) {
      const { workspaceId, version } = snapshot;
      const said = JSON.stringify({ workspaceId, version });
      const done = await redis.eval(
        PUBLISH,
        1,
        keyOf(workspaceId),
        version,
        JSON.stringify(snapshot),
        KEPT_SECONDS,
        channel,
        said,
      );
      return done === 1;
    },
    async read(workspaceId) {
      const text = await redis.hget(keyOf(workspaceId), "snapshot");
      if (text === null) return null;
      const parsed = storedSnapshot.safeParse(readJson(text));
      if (parsed.success) return parsed.data;
      // As good as none: it is loaded from the database and written anew.
      onWarning(`The stored snapshot of ${workspaceId} cannot be read.`, parsed.error);
      return null;
    },
    subscribe(onPublished) {
      const tell = (workspaceId: string, version: number) => onPublished(workspaceId, version);
      subscribers.add(tell);
      return () => subscribers.delete(tell);
    },
    async versions(workspaceIds) {
      const asked = workspaceIds.map(async (workspaceId) => {
        return [workspaceId, await redis.hget(keyOf(workspaceId), "version")] as const;
      });
      const stored = await Promise.all(asked);
      return new Map(
        stored.flatMap(([workspaceId, version]) =>
          version === null ? [] : [[workspaceId, Number(version)] as const],
        ),
      );
    },
    async close() {
      subscribers.clear();
      listener.disconnect();
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
