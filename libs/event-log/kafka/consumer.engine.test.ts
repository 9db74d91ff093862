import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CompressionTypes, Partitioners } from "kafkajs";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { PartitionWorker, RepeatableLog } from "../port.ts";
import { aBatch } from "../tests/event-log-suite.ts";
import { EAGER, holdPartition, ingest, nextRange, textsOf } from "../tests/held-partition.ts";
import { ClusterConnection, createClient } from "./connection.ts";
import { GroupCoordinator } from "./coordinator.ts";
import { openKafkaEventLog } from "./event-log.ts";
import { fetchBatches } from "./fetch.ts";
import { type Assignment, GroupMember } from "./group-member.ts";
import { deadLetterTopic, prepareTopics } from "./topic.ts";

const BROKERS = (process.env.KAFKA_TEST_BROKERS ?? "").split(",");
const FROZEN = fileURLToPath(new URL("../tests/frozen-worker.ts", import.meta.url));
const WAIT = { timeout: 20_000, interval: 20 };

const client = createClient({ brokers: BROKERS });
const admin = client.admin();
const warnings: Error[] = [];
const note = (warning: Error) => warnings.push(warning);
beforeAll(async () => {
  process.on("warning", note);
  await admin.connect();
});
afterAll(async () => {
  await admin.disconnect();
  process.off("warning", note);
});

it("is refused the committed of a former generation, also after the same process has joined again", async () => {
  const { topic } = await openLog();
  const coordinator = new GroupCoordinator(client, `${topic}-ingestion`, topic);
  const assignments: Assignment[] = [];
  const member = new GroupMember({
    coordinator,
    topic,
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: 10_000,
    onAssigned: async (assignment) => {
      assignments.push(assignment);
    },
    onWarning: () => undefined,
  });
  await vi.waitUntil(() => assignments.length === 1, WAIT);
  const committed = { next: 0n, last: 4n, origin: "t:0@3", topicId: "t", repeatsBelow: 0n };
  const former = await coordinator.commitOffset(at(assignments, 0), 0, committed);

  at(assignments, 0).rejoin();
  await vi.waitUntil(() => assignments.length === 2, WAIT);
  const [old, present] = [at(assignments, 0), at(assignments, 1)];
  const stale = { memberId: present.memberId, generation: old.generation };
  const refused = await Promise.allSettled([
    coordinator.commitOffset(old, 0, { ...committed, next: 5n }),
    coordinator.commitOffset(stale, 0, { ...committed, next: 6n }),
  ]);
  const found = await coordinator.fetchOffsets([0], "t");
  const current = await coordinator.commitOffset(present, 0, { ...committed, next: 7n });
  await member.close();
  await coordinator.close();

  expect([former, current]).toEqual(["written", "written"]);
  expect(present.generation).toBeGreaterThan(old.generation);
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(refused.map((one) => one.status === "rejected" && one.reason.type)).toEqual([
    "UNKNOWN_MEMBER_ID",
    "ILLEGAL_GENERATION",
  ]);
  expect(found.get(0)).toEqual(committed);
});

it("shares the partitions with a worker that joins, and takes them back when it leaves", async () => {
  const { topic, log } = await openLog({ partitions: 4 });
  const other = await openLog({ topic, partitions: 4 });
  const [here, there] = [aCrew(), aCrew()];

  await log.consume(here.worker);
  await vi.waitUntil(() => here.held.size === 4, WAIT);
  const joined = await other.log.consume(there.worker);
  await vi.waitUntil(() => here.held.size === 2 && there.held.size === 2, WAIT);
  const shared = new Set([...here.held, ...there.held]);
  await joined.close();
  await vi.waitUntil(() => here.held.size === 4, WAIT);

  expect(shared.size).toBe(4);
  expect(there.held.size).toBe(0);
});

it("ends the work of a partition that goes to another worker, which finds its intent", async () => {
  const { topic, log } = await openLog();
  const held = await holdPartition(log);
  await log.append(aBatch("a"));
  await log.append(aBatch("b"));
  const range = await nextRange(held.partition, { maxEvents: 1 });
  await held.partition.recordIntent(range);

  const closing = held.consumer.close();
  const late = held.partition.commit(range).catch((error: unknown) => error);
  await closing;
  const { partition } = await holdPartition((await openLog({ topic })).log);
  const intent = await partition.recordedIntent();
  const again = await partition.readExactly(range);

  expect(await late).toMatchObject({ code: "PARTITION_LOST", canRetry: false });
  expect(intent).toEqual({ origin: range.origin, first: range.first, last: range.last });
  expect(again).toEqual(range);
});

it("takes in partitions that have been added, and never removes one", async () => {
  const { topic, log } = await openLog({ partitions: 1 });
  const crew = aCrew();
  await log.consume(crew.worker);
  await vi.waitUntil(() => crew.held.size === 1, WAIT);

  await openLog({ topic, partitions: 3 });
  await vi.waitUntil(() => crew.held.size === 3, WAIT);
  await openLog({ topic, partitions: 2 });

  const [described] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
  expect(described?.partitions).toHaveLength(3);
});

it("is not stopped by messages that are no batches", async () => {
  const { topic, log } = await openLog();
  const stranger = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await stranger.connect();
  await log.append(aBatch("ours", 2));
  await stranger.send({ topic, messages: [{ value: null }, { value: "" }, { value: "garbage" }] });
  await stranger.send({ topic, compression: CompressionTypes.GZIP, messages: [{ value: "x\ny\n" }] });
  await stranger.send({ topic, messages: [{ value: "z\n", headers: { count: "many", sent: ["1", "2"] } }] });
  await log.append(aBatch("ours too"));
  await stranger.disconnect();

  const { partition } = await holdPartition(log);
  const range = await nextRange(partition);
  await ingest(partition, range);

  expect(range.batches.map(({ rows, count }) => [rows.toString(), count])).toEqual([
    ['["ours"]\n["ours"]\n', 2],
    ["", 0],
    ["", 0],
    ["garbage\n", 1],
    ["x\ny\n", 2],
    ["z\n", 1],
    ['["ours too"]\n', 1],
  ]);
  expect(await log.lag()).toBe(0);
});

it("reports a range that retention has removed, and continues behind it", async () => {
  const { topic, log } = await openLog();
  const before = await holdPartition(log);
  for (const name of ["a", "b", "c"]) await log.append(aBatch(name));
  const range = await nextRange(before.partition, { maxEvents: 2 });
  await before.partition.recordIntent(range);
  await before.consumer.close();

  await admin.fetchTopicOffsets(topic); // without it kafkajs does not know the leader
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: "2" }] });
  const { partition } = await holdPartition(log);
  await expect(partition.readExactly(range)).rejects.toMatchObject({ code: "RANGE_GONE" });
  const rest = await nextRange(partition);

  expect(textsOf(rest)).toEqual(['["c"]\n']);
});

it("gives a topic that was deleted and created again another origin, and reads it from its beginning", async () => {
  const { topic, log } = await openLog();
  const before = await holdPartition(log);
  await log.append(aBatch("a"));
  await before.partition.commit(await nextRange(before.partition));
  await log.close();
  await admin.deleteTopics({ topics: [topic] });

  const created = await openLog({ topic });
  await created.log.append(aBatch("b"));
  const { partition } = await holdPartition(created.log);
  const range = await nextRange(partition);

  expect(partition.id).not.toBe(before.partition.id);
  expect(textsOf(range)).toEqual(['["b"]\n']);
});

it("says that the topic was replaced while it was read, and how much of the old one is lost", async () => {
  const warnings: string[] = [];
  const { topic, log } = await openLog({ onWarning: (message) => void warnings.push(message) });
  await log.append(aBatch("a"));
  await log.append(aBatch("b", 2));
  const { partition } = await holdPartition(log);
  const range = await nextRange(partition, { maxEvents: 1 });
  await partition.recordIntent(range);
  const lag = await log.lag();

  await admin.deleteTopics({ topics: [topic] });
  await openLog({ topic });
  await vi.waitUntil(() => warnings.some((message) => message.includes("was replaced")), {
    timeout: 60_000,
    interval: 50,
  });

  const said = warnings.filter((message) => message.includes("was replaced"));
  expect(lag).toBe(3);
  expect(said).toEqual([
    expect.stringMatching(`The topic ${topic} was replaced .+ 3 of its events were not ingested`),
  ]);
});

it("takes what it reads for repeats where the group's committed have been lost", async () => {
  const { log } = await openLog();
  await log.append(aBatch("a"));

  const { partition } = await holdPartition(log);
  await log.append(aBatch("b"));
  const first = await nextRange(partition, { maxEvents: 1 });
  await partition.commit(first);
  const second = await nextRange(partition);

  expect(first.batches[0]?.mayRepeat).toBe(true);
  expect(second.batches[0]?.mayRepeat).toBeUndefined();
});

it("puts refused lines into a topic of their own, with the reason", async () => {
  const { topic, log } = await openLog();
  const { partition } = await holdPartition(log);

  await partition.writeDeadLetters([
    { line: "a", reason: "not a row" },
    { line: "b", reason: "no such day" },
  ]);

  const connection = new ClusterConnection(client, [deadLetterTopic(topic)]);
  const [letters] = await connection.use((cluster) =>
    fetchBatches(cluster, deadLetterTopic(topic), [{ partition: 0, from: 0n }], {
      maxBytes: 1e6,
      maxWaitMs: 500,
    }),
  );
  await connection.close();
  expect(letters?.batches.map(({ batch }) => batch.rows.toString())).toEqual(["a\n", "b\n"]);
});

it("estimates a long lag by what it has counted", async () => {
  const { log } = await openLog();
  const large = { rows: Buffer.alloc(40_000, '["large"]\n'), count: 7 };
  for (let i = 0; i < 20; i++) await log.append(large);

  expect(await log.lag()).toBe(140);
});

it("makes a topic that survives a broker's loss and a clock's jump, where it can", async () => {
  const { topic } = await openLog();

  const described = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name: topic }],
  });
  const configOf = new Map(
    described.resources[0]?.configEntries.map((entry) => [entry.configName, entry.configValue]),
  );

  expect(configOf.get("message.timestamp.type")).toBe("LogAppendTime");
  expect(configOf.get("retention.ms")).toBe("3600000");
  expect(configOf.get("min.insync.replicas")).toBe("1");
  await expect(prepareTopics(client, { ...optionsOf(`${topic}-3`), replication: 3 })).rejects.toThrow(
    /replication/i,
  );
});

it("keeps a partition while its worker waits for longer than a session", async () => {
  const sessionTimeoutMs = 1000;
  const { topic, log } = await openLog({ sessionTimeoutMs });
  const { partition } = await holdPartition(log);
  await log.append(aBatch("a"));
  const range = await nextRange(partition);
  await partition.recordIntent(range);
  const other = await openLog({ topic, sessionTimeoutMs });
  const recordedAt = performance.now();

  await vi.waitUntil(() => performance.now() - recordedAt > 2.5 * sessionTimeoutMs, WAIT);
  await partition.commit(range);

  expect(partition.signal.aborted).toBe(false);
  expect(await other.log.lag()).toBe(0);
});

it("gives the partition of a frozen worker to another, and refuses what it does when it wakes", async () => {
  const { topic, log } = await openLog();
  await log.append(aBatch("a"));
  const frozen = fork(FROZEN, [BROKERS.join(","), topic]);
  onTestFinished(() => void frozen.kill("SIGKILL"));
  await once(frozen, "message");
  frozen.kill("SIGSTOP");
  frozen.send("wake");
  const { partition } = await holdPartition(log);
  const range = await nextRange(partition);
  await ingest(partition, range);

  const answered = once(frozen, "message");
  frozen.kill("SIGCONT");
  const [answer] = await answered;

  expect(answer).toBe("PARTITION_LOST");
  expect(await log.lag()).toBe(0);
  expect(await partition.readNext({ ...EAGER, maxWaitMs: 500 })).toBeNull();
});

it("lets Node print no warning", () => {
  expect(warnings.filter(({ name }) => name.startsWith("Timeout"))).toEqual([]);
});

function optionsOf(topic: string) {
  return { topic, partitions: 1, replication: 1, retentionHours: 1 };
}

async function openLog(
  given: {
    topic?: string;
    partitions?: number;
    sessionTimeoutMs?: number;
    onWarning?: (message: string) => void;
  } = {},
): Promise<{ topic: string; log: RepeatableLog }> {
  const topic = given.topic ?? `consumer-${randomUUID()}`;
  const log = await openKafkaEventLog({ ...optionsOf(topic), brokers: BROKERS, ...given, topic });
  onTestFinished(() => log.close());
  return { topic, log };
}

/** Workers that hold their partitions until they are taken away. */
function aCrew() {
  const held = new Set<string>();
  const worker: PartitionWorker = async ({ id, signal }) => {
    held.add(id);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    held.delete(id);
  };
  return { held, worker };
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error(`There is no ${index}.`);
  return found;
}
