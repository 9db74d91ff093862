import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import { createMemoryJudge, createRedisJudge, eventsOf, judgedRows, readLines } from "#libs/judge/index.ts";
import { openRedis, RedisHealth } from "#libs/redis/index.ts";
import { aPassingEngine } from "../native/private-engine.ts";
import { redisClusterRecipe, redisRecipe } from "../native/recipes.ts";

// Measures what judging costs: npx node infra/scripts/measure-judge.ts [events]. First what the reader of a range does in this
// process: taking lines apart, judging in memory, making rows. Then what judging costs Redis: it starts one, and a cluster of three
// primaries with a replica each. Nine in ten visitors come once. The CPU seconds are those that the nodes tell of themselves: on a
// machine with fewer cores than nodes, events per second mean little.

const EVENTS = Number(process.argv[2] ?? 400_000);
const RANGE = 20_000;
const BATCH = 500;
/** Longer than ingestion waits, so that a busy machine leaves nothing out of the figures. */
const PATIENCE_MS = 30_000;
const ADS = Array.from({ length: 50 }, () => `ad_${randomBytes(13).toString("hex")}`);
const LIMIT = 30;
const ROUNDS = 5;
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

function aRange(): { rows: Buffer; appendedAt: number }[] {
  const occurredAt = Date.now();
  return Array.from({ length: RANGE / BATCH }, (_, batch) => {
    const lines = Array.from({ length: BATCH }, (_unused, n) => {
      const number = batch * BATCH + n;
      const visitor = (number % 10 === 0 ? number >> 4 : number).toString(16).padStart(16, "0");
      return encodeLoggedEvent({
        id: `evt_${randomBytes(13).toString("hex")}`,
        workspaceId: "ws_00000000000000000000000001",
        adId: ADS[number % ADS.length] ?? "",
        kind: "impression",
        verdict: "valid",
        visitor: visitor.slice(-8) + runs.toString(16).padStart(8, "0"),
        occurredAt: occurredAt + number,
        source: "page",
        place: NO_PLACE,
        limitKey: randomBytes(8).toString("hex"),
        limit: LIMIT,
        windowMs: DUPLICATE_WINDOWS_MS.impression,
        privateKeys: "",
      });
    });
    return { rows: Buffer.from(lines.join("")), appendedAt: occurredAt + RANGE };
  });
}

let runs = 0;

/** The range of this run. */
function nextRange() {
  return { origin: "measure", first: BigInt(runs), name: `measure:${runs}` };
}

/** CPU that this process has used, in milliseconds: another program on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measureInProcess(): Promise<void> {
  const judge = createMemoryJudge();
  const rounds: { read: number; judge: number; rows: number }[] = [];
  const ranges = Math.ceil(EVENTS / RANGE);
  for (let round = 0; round < ROUNDS; round += 1) {
    const took = { read: 0, judge: 0, rows: 0 };
    for (let range = 0; range < ranges; range += 1) {
      runs += 1;
      const batches = aRange();
      const began = cpuMs();
      const lines = await readLines(batches);
      const read = cpuMs();
      const judgements = await judge.judge(eventsOf(lines), nextRange());
      const judged = cpuMs();
      await judgedRows(lines, judgements);
      took.read += read - began;
      took.judge += judged - read;
      took.rows += cpuMs() - judged;
    }
    rounds.push(took);
  }
  console.log("In memory, microseconds of CPU an event, those of the garbage collector included:");
  console.table(
    rounds.map((took) =>
      Object.fromEntries(
        Object.entries(took).map(([step, ms]) => [step, ((ms * 1000) / (ranges * RANGE)).toFixed(2)]),
      ),
    ),
  );
}

async function measure(what: string, url: string, ports: readonly number[]): Promise<void> {
  const redis = await openRedis({ url, name: "measure", onWarning: (message) => console.warn(message) });
  const health = new RedisHealth({ redis, withinMs: PATIENCE_MS });
  const judge = createRedisJudge({ redis, health });
  const judgeOne = async () => {
    runs += 1;
    const events = eventsOf(await readLines(aRange()));
    const began = performance.now();
    await judge.judge(events, nextRange());
    return performance.now() - began;
  };
  await judgeOne();
  const before = await usageOf(ports);
  const ranges = Math.ceil(EVENTS / RANGE);
  let ms = 0;
  for (let range = 0; range < ranges; range += 1) ms += await judgeOne();
  const after = await usageOf(ports);
  health.close();
  redis.disconnect();

  const judged = ranges * RANGE;
  const perNode = after.map(({ cpuSeconds, bytes }, node) => ({
    "CPU s a million": (((cpuSeconds - (before[node]?.cpuSeconds ?? 0)) * MILLION) / judged).toFixed(1),
    "bytes an event": ((bytes - (before[node]?.bytes ?? 0)) / judged).toFixed(0),
  }));
  console.log(`${what}: ${Math.round((judged / ms) * 1000)} events/s of one reader`);
  console.table(perNode);
}

await measureInProcess();
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
