import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { NO_OWN_LIMITS, type Placements, type Snapshot } from "./port.ts";

/** A workspace that nobody has asked for or changed in this time is loaded again when somebody does. */
const KEPT_SECONDS = 30 * 86_400;
const DAY_SECONDS = 86_400;
/** The keys of its ads are written anew once a day at least, and never end before the workspace that speaks for them. */
const AD_KEPT_SECONDS = KEPT_SECONDS + DAY_SECONDS;

/**
 * Stores a snapshot over the same or an older version and tells of it, as one step, where the keys of its ads have been
 * written: by this publisher, or by an earlier one for the same ads on the same day. Returns 1 when it is stored, 0 when
 * a newer one is there, -1 when the keys have to be written first. KEYS: the workspace's hash. ARGV: version, snapshot,
 * seconds to keep it, channel, announcement, which ads, whether their keys are `written`. The channel is none of the
 * keys: messages are for every node of a cluster.
 */
const PUBLISH = `
  local version, ads = unpack(redis.call('HMGET', KEYS[1], 'version', 'ads'))
  if version and tonumber(version) > tonumber(ARGV[1]) then return 0 end
  if ads ~= ARGV[6] and ARGV[7] ~= 'written' then return -1 end
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'snapshot', ARGV[2], 'ads', ARGV[6])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  redis.call('PUBLISH', ARGV[4], ARGV[5])
  return 1
`;

const announcement = z.object({ workspaceId: z.string(), version: z.number() });
const limit = z.number().nullable();
/** As management writes it, of this release or of the one before, which knew no limits. */
type StoredSnapshot = Omit<Snapshot, "limits"> & Partial<Pick<Snapshot, "limits">>;
/** Only management writes here, in the shape that the types describe; a part that is missing is another program's data. */
const storedSnapshot = z.custom<StoredSnapshot>(
  (value) =>
    z
      .object({
        workspaceId: z.string(),
        version: z.number(),
        ads: z.array(z.object({ id: z.string() })),
        tiers: z.array(z.object({ id: z.string() })),
        limits: z.object({ impressionsPerMinute: limit, clicksPerMinute: limit }).optional(),
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
  const adKeyOf = (adId: string) => `${prefix}:ad:${adId}`;
  const keyOf = (workspaceId: string) => `${prefix}:placement:{${workspaceId}}`;
  /** An ad never moves, so this is right whatever becomes of the snapshot. No script: ads are all over a cluster. */
  const rememberAd = async (adId: string, workspaceId: string) => {
    await redis.set(adKeyOf(adId), workspaceId, "EX", AD_KEPT_SECONDS);
  };
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
      const text = JSON.stringify(snapshot);
      const ads = adsOfToday(snapshot);
      const store = (keys: "written" | "unknown") =>
        redis.eval(PUBLISH, 1, keyOf(workspaceId), version, text, KEPT_SECONDS, channel, said, ads, keys);
      let done = await store("unknown");
      if (done === -1) {
        await Promise.all(snapshot.ads.map(({ id }) => rememberAd(id, workspaceId)));
        done = await store("written");
      }
      return done === 1;
    },
    rememberAd,
    async read(workspaceId) {
      const text = await redis.hget(keyOf(workspaceId), "snapshot");
      if (text === null) return null;
      const parsed = storedSnapshot.safeParse(readJson(text));
      if (parsed.success) return { ...parsed.data, limits: parsed.data.limits ?? NO_OWN_LIMITS };
      // As good as none: it is loaded from the database and written anew.
      onWarning(`The stored snapshot of ${workspaceId} cannot be read.`, parsed.error);
      return null;
    },
    workspaceOfAd: (adId) => redis.get(adKeyOf(adId)),
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

/** Tells one set of ads from another, and one day from another. */
function adsOfToday({ ads }: Snapshot): string {
  const hash = createHash("sha256");
  for (const { id } of ads) hash.update(`${id}\n`);
  return `${Math.floor(Date.now() / 1000 / DAY_SECONDS)} ${hash.digest("base64url")}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
