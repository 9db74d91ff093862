import { Cluster, Redis } from "ioredis";

const DAY_MS = 86_400_000;
/** Clocks of a case are a day ahead at most, and every day's next salt is drawn a day ahead. */
const DAYS = [-1, 0, 1, 2];
const SLOTS_EVERY_MS = 1_000;

/** The salt that visitors of a UTC day (`2026-11-21`) are hashed with. */
export interface DaySalt {
  readonly day: string;
  readonly salt: string;
}

/** A connection whose commands wait while Redis, or the node of a cluster that they are for, is away. */
export function connectPatiently(url: string): Redis | Cluster {
  const [first = url, ...others] = url.split(",");
  const redis =
    others.length === 0
      ? new Redis(first, { maxRetriesPerRequest: null })
      : new Cluster([first, ...others], { slotsRefreshInterval: SLOTS_EVERY_MS });
  redis.on("error", () => undefined);
  return redis;
}

/** Those that Redis has now, of the days around today. */
export async function readSalts(redis: Redis | Cluster): Promise<DaySalt[]> {
  const days = DAYS.map((ahead) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10));
  const salts = await Promise.all(
    days.map(async (day) => ({ day, salt: await redis.get(`placard:salt:${day}`) })),
  );
  return salts.flatMap(({ day, salt }) => (salt === null ? [] : [{ day, salt }]));
}
