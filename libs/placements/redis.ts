import { createHash } from "node:crypto";
import { z } from "zod";
import { duplicateForMessages, type RedisClient, RedisHealth } from "#libs/redis/index.ts";
import type { Placements, Sighting, Snapshot, SnapshotAd } from "./port.ts";

/** A snapshot that is neither requested nor changed for this long expires, and is loaded again when needed. */
const KEPT_SECONDS = 30 * 86_400;
const DAY_SECONDS = 86_400;
/** A snapshot is large: it may take longer than what else is asked of Redis. */
const SNAPSHOT_MS = 2_000;
/** The keys of its ads are rewritten at least daily, and never expire before the snapshot. */
const AD_KEPT_SECONDS = KEPT_SECONDS + DAY_SECONDS;

/**
 * Stores a snapshot over the same or an older version and publishes its version, atomically. Returns 1 if it was stored, 0 if
 * a newer one is stored, -1 if the keys of its ads must be written first: when the ads have changed, and once a day.
 *
 * Where the server uses over half of its memory, the arguments included, only the version is stored, and readers load the rest
 * from the database: a full server takes no limits and no other snapshot either. A server that does not tell has room.
 *
 * KEYS: the workspace's hash. ARGV: version, snapshot, seconds until it
 * expires, channel, message, a hash of the ads, whether their keys are `written`. The channel is not among the keys:
 * messages reach every node of a cluster.
 */
const PUBLISH = `
  local version, ads = unpack(redis.call('HMGET', KEYS[1], 'version', 'ads'))
  if version and tonumber(version) > tonumber(ARGV[1]) then return 0 end
  if ads ~= ARGV[6] and ARGV[7] ~= 'written' then return -1 end
  local info = redis.pcall('INFO', 'memory')
  local memory = type(info) == 'string' and info or ''
  local used = tonumber(memory:match('used_memory:(%d+)') or 0)
  local most = tonumber(memory:match('maxmemory:(%d+)') or 0)
  local hasRoom = most == 0 or used < most / 2
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'snapshot', hasRoom and ARGV[2] or '', 'ads', ARGV[6])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  redis.call('PUBLISH', ARGV[4], ARGV[5])
  return 1
`;

const publication = z.object({ workspaceId: z.string(), version: z.number() });
const sighting = z.object({ workspaceId: z.string(), host: z.string(), seenAt: z.number() });
const limit = z.number().nullable();
/** Written by this release or the one before, which knew no addresses for clicks, tracking keys, proofs, pages, visitors or owners. */
type New = "trackingKeys" | "requireProof" | "recordPages" | "countVisitors" | "owner";
type StoredSnapshot = Omit<Snapshot, "ads" | New> &
  Partial<Pick<Snapshot, New>> & { readonly ads: readonly StoredAd[] };
type StoredAd = Omit<SnapshotAd, "clickUrl"> & Partial<Pick<SnapshotAd, "clickUrl">>;
/** Only Placard writes here, so the check is shallow: it recognizes another program's data. */
const storedSnapshot = z.custom<StoredSnapshot>(
  (value) =>
    z
      .object({
        workspaceId: z.string(),
        version: z.number(),
        ads: z.array(z.object({ id: z.string(), clickUrl: z.string().nullable().optional() })),
        tiers: z.array(z.object({ id: z.string() })),
        limits: z.object({ impressionsPerMinute: limit, clicksPerMinute: limit }),
        trackingKeys: z.array(z.string()).optional(),
        requireProof: z.boolean().optional(),
        recordPages: z.boolean().optional(),
        countVisitors: z.boolean().optional(),
        owner: z.string().optional(),
      })
      .safeParse(value).success,
);

export interface RedisPlacementsOptions {
  /** From `openRedis`. The caller closes it. */
  readonly redis: RedisClient;
  /** Watches the connection; the caller closes it. By default one that waits for 2 s. */
  readonly health?: RedisHealth;
  /** Prefix of all keys and of the channel, for installations that share a server. Default `placard`. */
  readonly prefix?: string;
  /** Called when a snapshot or a message about one cannot be read. */
  readonly onWarning: (message: string, error?: unknown) => void;
}

/** The store that all processes of an installation share. */
export async function createRedisPlacements(options: RedisPlacementsOptions): Promise<Placements> {
  const { redis, prefix = "placard", onWarning } = options;
  const health = options.health ?? new RedisHealth({ redis, withinMs: SNAPSHOT_MS });
  const channel = `${prefix}:placements`;
  const seenChannel = `${prefix}:seen`;
  const adKeyOf = (adId: string) => `${prefix}:ad:${adId}`;
  const keyOf = (workspaceId: string) => `${prefix}:placement:{${workspaceId}}`;
  /** Correct even without the snapshot: an ad never changes its workspace. No script, as the keys are on all nodes. */
  const rememberAd = async (adId: string, workspaceId: string) => {
    await redis.set(adKeyOf(adId), workspaceId, "EX", AD_KEPT_SECONDS);
  };
  const subscribers = new Set<(workspaceId: string, version: number) => void>();
  const witnesses = new Set<(seen: Sighting) => void>();

  const listener = duplicateForMessages(redis);
  // The other connection reports that the server is away.
  listener.on("error", () => undefined);
  listener.on("message", (from, message) => {
    if (from === seenChannel) {
      const seen = sighting.safeParse(readJson(message));
      if (seen.success) for (const tell of witnesses) tell(seen.data);
      return;
    }
    const parsed = publication.safeParse(readJson(message));
    if (!parsed.success) return onWarning("A message about a snapshot cannot be read.", parsed.error);
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
      const text = await health.call(() => redis.hget(keyOf(workspaceId), "snapshot"), SNAPSHOT_MS);
      if (text === null || text === "") return null;
      const parsed = storedSnapshot.safeParse(readJson(text));
      if (parsed.success) return isOfThisRelease(parsed.data) ? parsed.data : null;
      // Treated as missing: it is loaded from the database and written again.
      onWarning(`The stored snapshot of ${workspaceId} cannot be read.`, parsed.error);
      return null;
    },
    async workspacesOfAds(adIds) {
      const stored = await health.call(() => Promise.all(adIds.map((adId) => redis.get(adKeyOf(adId)))));
      const found = new Map<string, string>();
      for (const [index, adId] of adIds.entries()) {
        const workspaceId = stored[index] ?? null;
        if (workspaceId !== null) found.set(adId, workspaceId);
      }
      return found;
    },
    subscribe(onPublished) {
      const tell = (workspaceId: string, version: number) => onPublished(workspaceId, version);
      subscribers.add(tell);
      return () => subscribers.delete(tell);
    },
    noteSeen(seen) {
      redis.publish(seenChannel, JSON.stringify(seen)).catch(() => undefined);
    },
    onSeen(onSighting) {
      const tell = (seen: Sighting) => onSighting(seen);
      witnesses.add(tell);
      // Only processes that ask for it hear of sightings. Without the server it is subscribed after the reconnect.
      listener.subscribe(seenChannel).catch(() => undefined);
      return () => witnesses.delete(tell);
    },
    async versions(workspaceIds) {
      const asked = workspaceIds.map(async (workspaceId) => {
        return [workspaceId, await health.call(() => redis.hget(keyOf(workspaceId), "version"))] as const;
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
      witnesses.clear();
      listener.disconnect();
      if (options.health === undefined) health.close();
    },
  };
}

/** One of the release before is treated as missing too: it is loaded from the database and written again. */
function isOfThisRelease(stored: StoredSnapshot): stored is Snapshot {
  const { ads, trackingKeys, requireProof, recordPages, countVisitors, owner } = stored;
  const later = [trackingKeys, requireProof, recordPages, countVisitors, owner];
  return later.every((one) => one !== undefined) && ads.every(({ clickUrl }) => clickUrl !== undefined);
}

/** Differs by set of ads and by day. */
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
