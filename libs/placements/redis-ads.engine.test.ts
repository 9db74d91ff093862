import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { openRedis } from "#libs/redis/index.ts";
import { emptySnapshot, type Placements, type Snapshot, type SnapshotAd } from "./port.ts";
import { createRedisPlacements } from "./redis.ts";

const REDIS_URL = process.env.REDIS_TEST_URL ?? "";
const DAY_MS = 86_400_000;
const ADS = Array.from({ length: 50 }, () => newId("ad"));
const WORKSPACE = newId("workspace");
const unexpected = (message: string) => expect.fail(message);

let redis: Redis;
let prefix: string;
let placements: Placements;

beforeAll(async () => {
  const opened = await openRedis({ url: REDIS_URL, name: "test", onWarning: unexpected });
  if (!(opened instanceof Redis)) throw new Error("REDIS_TEST_URL is a cluster.");
  redis = opened;
});
afterAll(() => redis.disconnect());

beforeEach(async () => {
  prefix = randomUUID();
  placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
});
afterEach(async () => {
  vi.useRealTimers();
  await placements.close();
});

function aSnapshot(version: number, adIds: readonly string[] = ADS): Snapshot {
  const ads = adIds.map(
    (id): SnapshotAd => ({
      id,
      name: `Northwind Coffee, change ${version}`,
      websiteUrl: "https://northwind.example",
      clickUrl: null,
      faviconUrl: "",
      tierId: "tier",
      weight: 1,
      meta: {},
      servingSince: null,
      servingUntil: null,
    }),
  );
  return { ...emptySnapshot(WORKSPACE, version), ads };
}

/** How often the server has run each command of these, since its start. */
async function calls(): Promise<{ eval: number; set: number }> {
  const stats = await redis.info("commandstats");
  const callsOf = (command: string) =>
    Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(stats)?.[1] ?? 0);
  return { eval: callsOf("eval"), set: callsOf("set") };
}

async function callsDuring(work: () => Promise<unknown>): Promise<{ eval: number; set: number }> {
  const before = await calls();
  await work();
  const after = await calls();
  return { eval: after.eval - before.eval, set: after.set - before.set };
}

async function missing(adIds: readonly string[] = ADS): Promise<string[]> {
  const found = await placements.workspacesOfAds(adIds);
  return adIds.filter((id) => found.get(id) !== WORKSPACE);
}

async function keys(): Promise<string[]> {
  return redis.keys(`${prefix}:*`);
}

it("writes the ads of a workspace once, and a change of it by one command", async () => {
  const first = await callsDuring(() => placements.publish(aSnapshot(1)));
  const change = await callsDuring(() => placements.publish(aSnapshot(2)));
  const elsewhere = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
  const changeElsewhere = await callsDuring(() => elsewhere.publish(aSnapshot(3)));
  await elsewhere.close();

  expect(first).toEqual({ eval: 2, set: ADS.length });
  expect(change).toEqual({ eval: 1, set: 0 });
  expect(changeElsewhere).toEqual({ eval: 1, set: 0 });
  expect(await missing()).toEqual([]);
});

it("writes nothing for a version that comes too late", async () => {
  await placements.publish(aSnapshot(2));

  const late = await callsDuring(() => placements.publish(aSnapshot(1, [newId("ad")])));

  expect(late).toEqual({ eval: 1, set: 0 });
});

it("knows an ad that comes and one that goes", async () => {
  const added = newId("ad");
  await placements.publish(aSnapshot(1));

  await placements.publish(aSnapshot(2, [...ADS, added]));
  await placements.publish(aSnapshot(3));

  expect(await missing([...ADS, added])).toEqual([]);
});

it("writes the ads again where the store has come back empty", async () => {
  await placements.publish(aSnapshot(1));
  await redis.del(...(await keys()));

  await placements.publish(aSnapshot(1));

  expect(await missing()).toEqual([]);
});

it("lets no snapshot in before all of its ads", async () => {
  const set = vi.spyOn(redis, "set").mockRejectedValueOnce(new Error("out of memory"));
  await expect(placements.publish(aSnapshot(1))).rejects.toThrow("out of memory");
  set.mockRestore();
  const stored = await placements.read(WORKSPACE);

  await placements.publish(aSnapshot(1));

  expect(stored).toBeNull();
  expect(await missing()).toEqual([]);
});

it("keeps the ads for longer than the workspace, whenever in a day it was last changed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 20_000 * DAY_MS });
  const hash = `${prefix}:placement:{${WORKSPACE}}`;
  const ad = `${prefix}:ad:${ADS[0]}`;
  await placements.publish(aSnapshot(1));
  const apart = (await redis.ttl(ad)) - (await redis.ttl(hash));
  await redis.expire(ad, 60);

  vi.setSystemTime(20_001 * DAY_MS - 1);
  const sameDay = await callsDuring(() => placements.publish(aSnapshot(2)));
  vi.setSystemTime(20_001 * DAY_MS);
  await placements.publish(aSnapshot(3));

  expect(apart).toBeGreaterThanOrEqual(DAY_MS / 1000 - 1);
  expect(sameDay.set).toBe(0);
  expect(await redis.ttl(ad)).toBeGreaterThan(await redis.ttl(hash));
});
