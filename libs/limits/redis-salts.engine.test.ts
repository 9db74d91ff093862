import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { RedisHealth } from "#libs/redis/index.ts";
import { createRedisSalts, type RedisSalts } from "./redis-salts.ts";
import { openTestRedis } from "./tests/engines.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const HEX = /^[0-9a-f]{32}$/;

const { redis } = await openTestRedis();

interface Process {
  readonly salts: RedisSalts;
  readonly connection: Redis;
}

async function aProcess(prefix: string): Promise<Process> {
  const connection = redis.duplicate();
  await once(connection, "ready");
  const health = new RedisHealth({ redis: connection, withinMs: 2_000 });
  const salts = createRedisSalts({ redis: connection, health, prefix, now: () => NOON });
  onTestFinished(() => {
    salts.close();
    health.close();
    connection.disconnect();
  });
  return { salts, connection };
}

it("knows the salt of the next day, so that an outage over midnight changes nothing", async () => {
  const prefix = randomUUID();
  const [here, there] = [await aProcess(prefix), await aProcess(prefix)];
  await here.salts.share();
  await there.salts.share();
  here.connection.disconnect();
  there.connection.disconnect();

  const days = ["2026-11-21", "2026-11-22"];
  const ofHere = await Promise.all(days.map((day) => here.salts.saltOf(day)));
  const ofThere = await Promise.all(days.map((day) => there.salts.saltOf(day)));

  expect(ofHere).toEqual([expect.stringMatching(HEX), expect.stringMatching(HEX)]);
  expect(ofHere[0]).not.toBe(ofHere[1]);
  expect(ofThere).toEqual(ofHere);
  await expect(here.salts.saltOf("2026-11-23")).rejects.toThrow();
});

it("offers a salt again to a Redis that has lost it, as soon as the connection is back", async () => {
  const prefix = randomUUID();
  const { salts, connection } = await aProcess(prefix);
  const before = await salts.saltOf("2026-11-21");
  await redis.del(`${prefix}:salt:2026-11-21`);

  connection.disconnect(true);

  await expect.poll(() => redis.get(`${prefix}:salt:2026-11-21`)).toBe(before);
});

it("takes the salt that Redis was offered first, where processes know different ones", async () => {
  const prefix = randomUUID();
  const late = await aProcess(prefix);
  await late.salts.share();
  await redis.del(`${prefix}:salt:2026-11-21`);
  const first = await aProcess(prefix);
  const salt = await first.salts.saltOf("2026-11-21");

  await late.salts.share();

  expect(await late.salts.saltOf("2026-11-21")).toBe(salt);
});

it("forgets a salt a day after its day", async () => {
  const prefix = randomUUID();
  const { salts, connection } = await aProcess(prefix);
  await salts.saltOf("2026-11-19");
  connection.disconnect();

  await salts.share();

  await expect(salts.saltOf("2026-11-19")).rejects.toThrow();
});

it("keeps no salt in Redis for longer than an hour after its day", async () => {
  const prefix = randomUUID();
  const { salts } = await aProcess(prefix);

  await salts.share();

  const left = async (day: string) => await redis.ttl(`${prefix}:salt:${day}`);
  expect(await left("2026-11-21")).toBeLessThanOrEqual((DAY_MS / 2 / 3_600_000 + 1) * 3600);
  expect(await left("2026-11-22")).toBeLessThanOrEqual((1.5 * DAY_MS) / 1000 + 3600);
});
