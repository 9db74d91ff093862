import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { retry } from "#libs/async/index.ts";
import { openRedis, type RedisClient } from "#libs/redis/index.ts";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { type RedisClusterAddress, redisClusterRecipe } from "../../infra/native/recipes.ts";
import type { EventToJudge, Limits } from "./port.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, LIMITS } from "./suite/events.ts";

const PROCESSES = 2;
const EVENTS_OF_A_BATCH = 50;
const LATE_WITHIN_MS = 40_000;

let cluster: Awaited<ReturnType<typeof aPassingEngine<RedisClusterAddress>>>;
beforeAll(async () => {
  cluster = await aPassingEngine(redisClusterRecipe);
  await cluster.program.start();
});
afterAll(() => cluster.remove());

/** Several processes that judge batches one after the other, each visitor's event twice, until they are told to stop. */
async function judgeUnderLoad(): Promise<{ judged(): number; stop(): Promise<Map<string, string[]>> }> {
  const prefix = randomUUID();
  const judgements = new Map<string, string[]>();
  let isStopping = false;
  let judged = 0;

  /** As serving does: a batch that cannot be judged is durable all the same, and is judged again, late. */
  async function judgeUntilDone(limits: Limits, events: readonly EventToJudge[]): Promise<void> {
    const batch = aBatch();
    let result = await limits.judge(events, batch).catch(() => undefined);
    if (result === undefined) await limits.settle(batch.id);
    const late = () => limits.judge(events, { ...batch, isLate: true, isDurable: true });
    result ??= await retry(late, {
      firstMs: 20,
      longestMs: 100,
      signal: AbortSignal.timeout(LATE_WITHIN_MS),
    });
    for (const [index, { visitor }] of events.entries()) {
      const judgement = result.judgements[index] ?? "missing";
      judgements.set(visitor, [...(judgements.get(visitor) ?? []), judgement]);
    }
    result.confirm();
    judged += events.length;
  }

  async function runProcess(redis: RedisClient): Promise<void> {
    const limits = createRedisLimits({ redis, limits: { ...LIMITS, impressionsPerMinute: 0 }, prefix });
    onTestFinished(() => limits.close());
    while (!isStopping) {
      const own = Array.from({ length: EVENTS_OF_A_BATCH }, () => randomUUID());
      const events = own.map((visitor) => anEvent({ address: visitor, visitor, occurredAt: Date.now() }));
      await judgeUntilDone(limits, events);
      await judgeUntilDone(limits, events);
    }
  }

  const connections = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      openRedis({ url: cluster.address.url, name: "test", onWarning: () => undefined }),
    ),
  );
  onTestFinished(() => {
    for (const redis of connections) redis.disconnect();
  });
  const running = connections.map(runProcess);
  return {
    judged: () => judged,
    async stop() {
      isStopping = true;
      await Promise.all(running);
      return judgements;
    },
  };
}

function connectTo(port: number): Redis {
  const node = new Redis({ port });
  node.on("error", () => undefined);
  onTestFinished(() => node.disconnect());
  return node;
}

/** The port, id and slots of each primary, as a node knows them. */
async function primariesOf(node: Redis): Promise<{ port: number; id: string; slots: string | undefined }[]> {
  const lines = String(await node.cluster("NODES")).split("\n");
  return lines
    .filter((line) => /\bmaster\b/.test(line) && !/fail/.test(line))
    .map((line) => {
      const [id = "", address = "", ...rest] = line.split(" ");
      return { id, port: Number(/:(\d+)@/.exec(address)?.[1]), slots: rest[6] };
    });
}

/** Every visitor's first event counts, once, and none is missing. */
function expectCountedOnce(judgements: Map<string, string[]>): void {
  const kinds = new Set([...judgements.values()].map((ofVisitor) => ofVisitor.join(", ")));
  expect(kinds).toEqual(new Set(["fresh, duplicate"]));
}

it("loses no event and counts none twice while slots with events move to another node under load", async () => {
  const { nodes } = cluster.address;
  const [from, to] = await primariesOf(connectTo(nodes[0]?.port ?? 0));
  if (from === undefined || to === undefined) throw new Error("The cluster has no two primaries.");
  const [source, target] = [connectTo(from.port), connectTo(to.port)];
  const load = await judgeUnderLoad();
  await expect.poll(load.judged).toBeGreaterThan(500);

  const [first = 0, last = 0] = (from.slots ?? "").split("-").map(Number);
  const slots = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const sizes = await Promise.all(slots.map((slot) => source.cluster("COUNTKEYSINSLOT", slot)));
  const moved = slots.filter((_, n) => Number(sizes[n]) > 0).slice(0, 4);
  for (const slot of moved) {
    await target.cluster("SETSLOT", slot, "IMPORTING", from.id);
    await source.cluster("SETSLOT", slot, "MIGRATING", to.id);
    for (;;) {
      const keys = await source.cluster("GETKEYSINSLOT", slot, 100);
      if (!Array.isArray(keys) || keys.length === 0) break;
      await source.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5_000, "KEYS", ...keys.map(String));
    }
    await target.cluster("SETSLOT", slot, "NODE", to.id);
    await source.cluster("SETSLOT", slot, "NODE", to.id);
  }
  const before = load.judged();
  await expect.poll(load.judged).toBeGreaterThan(before + 2_000);

  expect(moved).toHaveLength(4);
  expectCountedOnce(await load.stop());
}, 60_000);

it("loses no event and counts none twice when a primary is killed under load", async () => {
  const { nodes } = cluster.address;
  const [killed] = await primariesOf(connectTo(nodes[0]?.port ?? 0));
  const [survivor] = nodes.filter(({ port }) => port !== killed?.port).map(({ port }) => connectTo(port));
  const pidFile = nodes.find(({ port }) => port === killed?.port)?.pidFile;
  if (pidFile === undefined || survivor === undefined) throw new Error("The cluster has no primary.");
  const load = await judgeUnderLoad();
  await expect.poll(load.judged).toBeGreaterThan(500);

  process.kill(Number(await readFile(pidFile, "utf8")), "SIGKILL");
  await expect
    .poll(async () => (await primariesOf(survivor)).map(({ port }) => port), { timeout: 30_000 })
    .not.toContain(killed?.port);
  await expect.poll(async () => (await primariesOf(survivor)).length, { timeout: 30_000 }).toBe(3);
  const before = load.judged();
  await expect.poll(load.judged, { timeout: 30_000 }).toBeGreaterThan(before + 2_000);

  expectCountedOnce(await load.stop());
}, 60_000);
