import { setTimeout as sleep } from "node:timers/promises";
import { Backoff } from "#libs/async/index.ts";
import { NotSentError, type RedisClient, type RedisHealth } from "#libs/redis/index.ts";
import { hash } from "./budgets.ts";
import { LimitsError } from "./errors.ts";
import { OpenBatches, openTimeOf, WAIT_MS, whichAreLost } from "./open-batches.ts";
import type { BatchToJudge, EventToJudge, JudgedBatch, Judgement, Limits, TrackingLimits } from "./port.ts";
import { type Answers, createRedisBucket, type RedisBucket } from "./redis-bucket.ts";
import { errorOfJudging } from "./redis-errors.ts";

const POLL_MS = 25;
const LATE_POLLS = { firstMs: POLL_MS, longestMs: 1_000 };
const RETRIES = { firstMs: 50, longestMs: 1_000 };
/** How long an outcome is reported again and again; an outage may last. */
const REPORTED_FOR_MS = 3_600_000;
/** Outcomes that are retried at the same time. Beyond this, a batch stays open. */
const MOST_RETRIED = 1_000;
const REPEATED_WITHIN_MS = 3_600_000;
/** Rejected batches that are known as ones Redis may have been told of. */
const MOST_UNANSWERED = 200;

export interface RedisBatchesOptions {
  readonly redis: RedisClient;
  readonly health: RedisHealth;
  readonly limits: TrackingLimits;
  readonly prefix: string;
  /** The hash tags of the buckets that addresses are divided into. The same in all processes of an installation. */
  readonly tags: readonly string[];
}

/** The events of a batch that are in one bucket. */
interface Part {
  readonly bucket: RedisBucket;
  readonly events: EventToJudge[];
  /** Where each of them is in the batch. */
  readonly indexes: number[];
}

/** An open batch, where a duplicate of one of its events was judged. */
interface Original {
  readonly id: string;
  readonly bucket: RedisBucket;
}

interface JudgedParts {
  readonly judgements: readonly Judgement[];
  /** By the index of the duplicate. */
  readonly waiting: ReadonlyMap<number, Original>;
}

/**
 * Judges batches in Redis. A batch is open there until this process reports its outcome, or for
 * `openTimeOf(limits)`. If the process dies in between, nobody knows whether its events were stored, so no duplicate of them is
 * acknowledged in that time. One that was durable before it was judged is open only to be undone where a part of it is refused.
 *
 * A batch has a part in each bucket that an address of it belongs to, and each part is judged by one call. When one of them
 * fails the batch fails; the answers of the others stay for when it is judged again.
 */
export function createRedisBatchJudge(
  options: RedisBatchesOptions,
): Pick<Limits, "judge" | "settle" | "abandon"> {
  const { redis, health, limits, prefix, tags } = options;
  const openMs = openTimeOf(limits);
  const buckets = tags.map((tag) => createRedisBucket({ redis, limits, prefix, tag }));
  const ownBatches = new OpenBatches<string>();
  const unanswered = new Map<string, readonly Part[]>();
  let retried = 0;

  function partsOf(events: readonly EventToJudge[]): Part[] {
    const parts = new Map<number, Part>();
    for (const [index, event] of events.entries()) {
      const number = buckets.length === 1 ? 0 : hash(event.address) % buckets.length;
      let part = parts.get(number);
      if (part === undefined) {
        const bucket = buckets[number];
        if (bucket === undefined) throw new Error("There are no buckets to judge in.");
        part = { bucket, events: [], indexes: [] };
        parts.set(number, part);
      }
      part.events.push(event);
      part.indexes.push(index);
    }
    return [...parts.values()];
  }

  async function judgeParts(batch: BatchToJudge, size: number, parts: readonly Part[]): Promise<JudgedParts> {
    const { id, isDurable = false } = batch;
    const judgements = Array<Judgement>(size).fill("limited");
    const waiting = new Map<number, Original>();
    let asked: readonly Promise<Answers>[] = [];
    try {
      const answers = await health.call(() => {
        asked = parts.map(({ bucket, events }) => bucket.judge(batch, events));
        return Promise.all(asked);
      });
      for (const [at, { bucket, indexes }] of parts.entries()) {
        // One object for each, so that each is waited for once.
        const originals = new Map<string, Original>();
        for (const [n, index] of indexes.entries()) {
          judgements[index] = answers[at]?.judgements[n] ?? "limited";
          const original = answers[at]?.waiting.get(n);
          if (original === undefined) continue;
          const known = originals.get(original) ?? { id: original, bucket };
          originals.set(original, known);
          waiting.set(index, known);
        }
      }
      unanswered.delete(id);
    } catch (cause) {
      const error = errorOfJudging(cause);
      if (error.code === "REFUSED") {
        unanswered.delete(id);
        const undoing = undo(batch, parts, asked);
        // Undone first: its events are judged under another id next, and would be duplicates of what is left of them here.
        if (isDurable && !(await undoing))
          throw new LimitsError("UNAVAILABLE", "A refused batch cannot be undone now.", { cause });
      } else if (!(cause instanceof NotSentError) && unanswered.size < MOST_UNANSWERED)
        unanswered.set(id, parts);
      throw error;
    }
    return { judgements, waiting };
  }

  /** Asks until no event waits for the end of another batch, which is for as long as a batch is open at most. */
  async function judgeLate(batch: BatchToJudge, size: number, parts: readonly Part[]): Promise<JudgedParts> {
    const until = performance.now() + openMs;
    const backoff = new Backoff(LATE_POLLS);
    let judged = await judgeParts(batch, size, parts);
    while (judged.waiting.size > 0 && performance.now() < until) {
      await sleep(backoff.next());
      judged = await judgeParts(batch, size, parts);
    }
    return { ...judged, waiting: new Map() };
  }

  /**
   * Reports the outcome of each part to Redis, and retries for as long as that matters. Resolves after the first try, with
   * whether all of them succeeded.
   */
  async function report(parts: readonly Part[], call: (part: Part) => Promise<unknown>): Promise<boolean> {
    const until = performance.now() + REPORTED_FOR_MS;
    const reporting = parts.map(async (part) => {
      if (await succeeds(() => call(part))) return true;
      if (retried >= MOST_RETRIED) return false;
      retried += 1;
      void retry(() => call(part), until).finally(() => {
        retried -= 1;
      });
      return false;
    });
    return (await Promise.all(reporting)).every((isReported) => isReported);
  }

  async function drop(batch: BatchToJudge, parts: readonly Part[]): Promise<boolean> {
    ownBatches.end(batch.id, false);
    return await report(parts, ({ bucket, events }) => bucket.drop(batch, events));
  }

  /**
   * Some part of the batch was refused: what was judged of it in other buckets, or will be by a call that was not answered, has no
   * effect. Resolves with whether Redis has undone all of it.
   */
  async function undo(
    batch: BatchToJudge,
    parts: readonly Part[],
    asked: readonly Promise<Answers>[],
  ): Promise<boolean> {
    const wasRefused = await Promise.all(asked.map(isRefused));
    return await drop(
      batch,
      parts.filter((_, at) => !wasRefused[at]),
    );
  }

  async function isStored({ id, bucket }: Original): Promise<boolean> {
    const own = ownBatches.outcomeOf(id);
    if (own !== null) return own;
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS)) {
      const state = await bucket.stateOf(id);
      if (state !== "open") return state === "stored";
    }
    return false;
  }

  return {
    async judge(events, batch): Promise<JudgedBatch> {
      const { id, isLate = false, isDurable = false, isRepeatable = false } = batch;
      const parts = partsOf(events);
      if (!isDurable && !ownBatches.has(id)) ownBatches.begin(id, performance.now() + openMs);
      const { judgements, waiting } = await (isLate ? judgeLate : judgeParts)(batch, events.length, parts);
      return {
        judgements,
        confirm() {
          ownBatches.end(id, true);
          const rememberedMs = isRepeatable ? REPEATED_WITHIN_MS : 0;
          void report(parts, ({ bucket }) => bucket.confirm(id, rememberedMs));
        },
        async drop() {
          await drop(batch, parts);
        },
        lostDuplicates: () => whichAreLost(waiting, isStored),
      };
    },
    async settle(id) {
      ownBatches.end(id, true);
      const parts = unanswered.get(id) ?? [];
      unanswered.delete(id);
      await report(parts, ({ bucket }) => bucket.settle(id));
    },
    async abandon(id) {
      const parts = unanswered.get(id) ?? [];
      unanswered.delete(id);
      await drop({ id }, parts);
    },
  };
}

function isRefused(asked: Promise<Answers>): Promise<boolean> {
  return asked.then(
    () => false,
    (error: unknown) => errorOfJudging(error).code === "REFUSED",
  );
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
