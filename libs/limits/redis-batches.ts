import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { Backoff } from "#libs/async/index.ts";
import { NotSentError, type RedisHealth, runScript } from "#libs/redis/index.ts";
import { OpenBatches, openTimeOf, WAIT_MS, whichAreLost } from "./open-batches.ts";
import type { BatchToJudge, EventToJudge, JudgedBatch, Judgement, Limits, TrackingLimits } from "./port.ts";
import { CONFIRM, DROP, JUDGE, JUDGED, SETTLE, STATE, WAITS } from "./redis-judging.ts";

const MINUTE_MS = 60_000;
const POLL_MS = 25;
const LATE_POLLS = { firstMs: POLL_MS, longestMs: 1_000 };
const RETRIES = { firstMs: 50, longestMs: 1_000 };
/** How long an outcome is reported again and again; an outage may last. */
const REPORTED_FOR_MS = 3_600_000;
/** Outcomes of batches that are retried at the same time. Beyond this, a batch stays open. */
const MOST_RETRIED = 100;
const REPEATED_WITHIN_MS = 3_600_000;
/** Rejected batches that are known as ones Redis may have been told of. */
const MOST_UNANSWERED = 1_000;

export interface RedisBatchesOptions {
  readonly redis: Redis;
  readonly health: RedisHealth;
  readonly limits: TrackingLimits;
  readonly prefix: string;
}

/** What Redis has answered about a batch. */
interface Answers {
  readonly judgements: readonly Judgement[];
  /** The open batch that has the original of a duplicate, by the duplicate's index. */
  readonly waiting: ReadonlyMap<number, string>;
}

/**
 * Judges batches in Redis. Rejects while Redis is away. A batch is open there until this process reports its outcome, or for
 * `openTimeOf(limits)`. If the process dies in between, nobody knows whether its events were stored, so no duplicate of them is
 * acknowledged in that time.
 */
export function createRedisBatchJudge(
  options: RedisBatchesOptions,
): Pick<Limits, "judge" | "settle" | "abandon"> {
  const { redis, health, limits, prefix } = options;
  const openMs = openTimeOf(limits);
  const ownBatches = new OpenBatches<string>();
  const unanswered = new Set<string>();
  let retried = 0;
  // All keys of a batch are in one slot of a cluster, because a script cannot use several.
  const keyOf = (...parts: readonly (string | number)[]) => `${prefix}:{judge}:${parts.join(":")}`;
  const open = keyOf("open");
  const dropped = keyOf("dropped");
  const keysOfBatch = (id: string) => [open, dropped, keyOf("answers", id), keyOf("lates")];

  function keysOf(id: string, events: readonly EventToJudge[]): string[] {
    const keys = keysOfBatch(id);
    for (const { kind, occurredAt, address, visitor, adId } of events) {
      const minute = Math.floor(occurredAt / MINUTE_MS);
      keys.push(keyOf("count", kind, minute, address, adId), keyOf("times", kind, visitor, adId));
    }
    return keys;
  }

  function limitOf({ kind, limit }: EventToJudge): number {
    return limit ?? (kind === "click" ? limits.clicksPerMinute : limits.impressionsPerMinute);
  }

  function argumentsOf(event: EventToJudge): number[] {
    const { kind, countable, occurredAt } = event;
    const windowMs = kind === "click" ? limits.clickWindowMs : limits.impressionWindowMs;
    return [limitOf(event), windowMs, countable ? 1 : 0, occurredAt];
  }

  async function askRedis(
    { id, isLate = false }: BatchToJudge,
    events: readonly EventToJudge[],
  ): Promise<Answers> {
    const values = [id, openMs, isLate ? "late" : "", ...events.flatMap(argumentsOf)];
    try {
      const answers = await health.call(() => runScript(redis, JUDGE, keysOf(id, events), values));
      unanswered.delete(id);
      return answersOf(answers);
    } catch (error) {
      if (!(error instanceof NotSentError) && unanswered.size < MOST_UNANSWERED) unanswered.add(id);
      throw error;
    }
  }

  /** Asks until no event waits for the end of another batch, which is for as long as a batch is open at most. */
  async function askRedisLate(batch: BatchToJudge, events: readonly EventToJudge[]): Promise<Answers> {
    const until = performance.now() + openMs;
    const backoff = new Backoff(LATE_POLLS);
    let answers = await askRedis(batch, events);
    while (answers.waiting.size > 0 && performance.now() < until) {
      await sleep(backoff.next());
      answers = await askRedis(batch, events);
    }
    return { ...answers, waiting: new Map() };
  }

  /** Reports the outcome of a batch to Redis, and retries for as long as that matters. Resolves after the first try. */
  async function report(call: () => Promise<unknown>): Promise<void> {
    const until = performance.now() + REPORTED_FOR_MS;
    if ((await succeeds(call)) || retried >= MOST_RETRIED) return;
    retried += 1;
    void retry(call, until).finally(() => {
      retried -= 1;
    });
  }

  async function drop(id: string, events: readonly EventToJudge[]): Promise<void> {
    ownBatches.end(id, false);
    const values = [id, openMs, ...events.flatMap((event) => [limitOf(event) > 0 ? 1 : 0, event.occurredAt])];
    await report(() => runScript(redis, DROP, keysOf(id, events), values));
  }

  async function isStored(id: string): Promise<boolean> {
    const own = ownBatches.outcomeOf(id);
    if (own !== null) return own;
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS)) {
      const state = await runScript(redis, STATE, [open, dropped], [id]);
      if (state !== "open") return state === "stored";
    }
    return false;
  }

  return {
    async judge(events, batch): Promise<JudgedBatch> {
      const { id, isLate = false, isRepeatable = false } = batch;
      if (!ownBatches.has(id)) ownBatches.begin(id, performance.now() + openMs);
      const { judgements, waiting } = await (isLate ? askRedisLate : askRedis)(batch, events);
      return {
        judgements,
        confirm() {
          ownBatches.end(id, true);
          const rememberedMs = isRepeatable ? REPEATED_WITHIN_MS : 0;
          void report(() => runScript(redis, CONFIRM, keysOfBatch(id), [id, rememberedMs]));
        },
        drop: () => drop(id, events),
        lostDuplicates: () => whichAreLost(waiting, isStored),
      };
    },
    async settle(id) {
      ownBatches.end(id, true);
      if (unanswered.delete(id)) await report(() => runScript(redis, SETTLE, keysOfBatch(id), [id]));
    },
    async abandon(id, events) {
      if (unanswered.delete(id)) await drop(id, events);
      else ownBatches.end(id, false);
    },
  };
}

function answersOf(answer: unknown): Answers {
  if (typeof answer !== "string") throw new Error("Redis has answered something else than judgements.");
  const [digits = "", ...batches] = answer.split(" ");
  const waiting = new Map<number, string>();
  const judgements = Array.from(digits, (digit, index): Judgement => {
    const judgement = JUDGED[Number(digit)];
    if (judgement === undefined) throw new Error("Redis has answered an unknown judgement.");
    const original = digit === WAITS ? batches[waiting.size] : undefined;
    if (original !== undefined) waiting.set(index, original);
    return judgement;
  });
  return { judgements, waiting };
}

function succeeds(call: () => Promise<unknown>): Promise<boolean> {
  return call().then(
    () => true,
    () => false,
  );
}

async function retry(call: () => Promise<unknown>, until: number): Promise<void> {
  const backoff = new Backoff(RETRIES);
  while (performance.now() < until) {
    await sleep(backoff.next(), undefined, { ref: false });
    if (await succeeds(call)) return;
  }
}
