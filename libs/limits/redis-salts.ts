import type { RedisClient, RedisHealth } from "#libs/redis/index.ts";
import { newSalt, saltLifetimeSeconds } from "./daily-salt.ts";

const DAY_MS = 86_400_000;
const SHARED_EVERY_MS = 60_000;

export interface RedisSaltsOptions {
  readonly redis: RedisClient;
  readonly health: RedisHealth;
  readonly prefix: string;
  /** Milliseconds since the epoch. Default the clock. */
  readonly now?: () => number;
}

/** One secret per day, shared by all processes. */
export interface RedisSalts {
  /** Rejects where this process does not know the day's salt and Redis is away. */
  saltOf(day: string): Promise<string>;
  /** Learns the salts of today and tomorrow, or offers those this process knows to a Redis that lost them. Never rejects. */
  share(): Promise<void>;
  close(): void;
}

/**
 * Keeps the salts of today and of the next day in this process, a day ahead, so that Redis may be away over midnight. Each
 * minute, and whenever the connection is back, it shares them again. Redis keeps the first salt that it is offered, and every
 * process takes that one, even where it has used another.
 */
export function createRedisSalts(options: RedisSaltsOptions): RedisSalts {
  const { redis, health, prefix, now = Date.now } = options;
  const known = new Map<string, string>();

  async function agree(day: string): Promise<string> {
    const key = `${prefix}:salt:${day}`;
    const offered = known.get(day) ?? newSalt();
    const salt = await health.call(async () => {
      await redis.set(key, offered, "EX", saltLifetimeSeconds(day, now()), "NX");
      return await redis.get(key);
    });
    if (salt === null) throw new Error(`Redis has lost the salt of ${day}.`);
    known.set(day, salt);
    return salt;
  }

  async function share(): Promise<void> {
    const today = now();
    for (const day of known.keys()) {
      if (Date.parse(day) < today - 2 * DAY_MS) known.delete(day);
    }
    await Promise.allSettled([dayOf(today), dayOf(today + DAY_MS)].map(agree));
  }

  const onReady = () => void share();
  redis.on("ready", onReady);
  const timer = setInterval(onReady, SHARED_EVERY_MS).unref();
  if (redis.status === "ready") onReady();

  return {
    saltOf: async (day) => known.get(day) ?? (await agree(day)),
    share,
    close() {
      clearInterval(timer);
      redis.off("ready", onReady);
      known.clear();
    },
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
