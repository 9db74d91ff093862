import { randomBytes, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { createRedisLimits, type EventToJudge } from "#libs/limits/index.ts";
import { openRedis, RedisHealth } from "#libs/redis/index.ts";
import { aPassingEngine } from "../native/private-engine.ts";
import { redisClusterRecipe, redisRecipe } from "../native/recipes.ts";

// Measures what judging costs Redis: npx node infra/scripts/measure-judge.ts [events]. It starts a Redis and a cluster of three
// primaries with a replica each, and judges batches of visitors who come once, at the limits that are usual. The CPU seconds
// are those that the nodes tell of themselves: on a machine with fewer cores than nodes, events per second mean little.

const EVENTS = Number(process.argv[2] ?? 300_000);
const BATCH = 500;
const IN_PROGRESS = 4;
/** Longer than serving waits, so that a busy machine leaves no batch out of the figures. */
const PATIENCE_MS = 2_000;
const ADS = Array.from({ length: 50 }, () => `ad_${randomBytes(13).toString("hex")}`);
const LIMITS = {
  impressionsPerMinute: 30,
  clicksPerMinute: 10,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
/** Batches before the measured ones. */
const WARM_UP = 20;
const MILLION = 1_000_000;

interface NodeUsage {
  readonly cpuSeconds: number;
  readonly bytes: number;
}

async function usageOf(ports: readonly number[]): Promise<NodeUsage[]> {
  return await Promise.all(
    ports.map(async (port) => {
      const redis = new Redis({ port });
      const info = await redis.info();
      redis.disconnect();
      const figures = new Map(info.split("\r\n").map((line) => [line.split(":")[0], line.split(":")[1]]));
      const figure = (name: string) => Number(figures.get(name));
      return {
        cpuSeconds: figure("used_cpu_user") + figure("used_cpu_sys"),
        bytes: figure("total_net_input_bytes") + figure("total_net_output_bytes"),
      };
    }),
  );
}

function aVisit(): EventToJudge {
  const visitor = randomBytes(8).toString("hex");
  const adId = ADS[Math.floor(Math.random() * ADS.length)] ?? "";
  const occurredAt = Date.now();
  return {
    adId,
    kind: "impression",
    address: visitor,
    visitor,
    countable: true,
    occurredAt,
    limit: null,
  };
}

async function measure(what: string, url: string, ports: readonly number[]): Promise<void> {
  const redis = await openRedis({ url, name: "measure", onWarning: (message) => console.warn(message) });
  const health = new RedisHealth({ redis, withinMs: PATIENCE_MS });
  const limits = createRedisLimits({ redis, limits: LIMITS, health });
  let left = WARM_UP;
  let unanswered = 0;

  async function judgeOn(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const events = Array.from({ length: BATCH }, aVisit);
      try {
        const judged = await limits.judge(events, { id: randomUUID() });
        judged.confirm();
      } catch {
        unanswered += 1;
      }
    }
  }

  await judgeOn();
  unanswered = 0;
  left = Math.ceil(EVENTS / BATCH);
  const before = await usageOf(ports);
  const began = performance.now();
  await Promise.all(Array.from({ length: IN_PROGRESS }, judgeOn));
  const seconds = (performance.now() - began) / 1000;
  const after = await usageOf(ports);
  await limits.close();
  health.close();
  redis.disconnect();

  const judged = EVENTS - unanswered * BATCH;
  const perNode = after.map(({ cpuSeconds, bytes }, node) => ({
    "CPU s a million": (((cpuSeconds - (before[node]?.cpuSeconds ?? 0)) * MILLION) / judged).toFixed(1),
    "bytes an event": ((bytes - (before[node]?.bytes ?? 0)) / judged).toFixed(0),
  }));
  console.log(
    `${what}: ${Math.round(judged / seconds)} events/s, ${unanswered} batches not answered in time`,
  );
  console.table(perNode);
}

const single = await aPassingEngine(redisRecipe);
try {
  await single.program.start();
  await measure("one Redis", single.address.url, [Number(new URL(single.address.url).port)]);
} finally {
  await single.remove();
}
const cluster = await aPassingEngine(redisClusterRecipe);
try {
  await cluster.program.start();
  const { url, nodes } = cluster.address;
  await measure(
    "three primaries (the first three), three replicas",
    url,
    nodes.map(({ port }) => port),
  );
} finally {
  await cluster.remove();
}
