import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { ReplyError } from "ioredis";
import { z } from "zod";
import { Backoff } from "#libs/async/index.ts";
import { OpenBatches, openTimeOf, WAIT_MS, whichAreLost } from "./open-batches.ts";
import type { EventToJudge, JudgedBatch, Judgement, TrackingLimits } from "./port.ts";
import { DROP, JUDGE, JUDGED, STATE } from "./redis-judging.ts";

const MINUTE_MS = 60_000;
const POLL_MS = 25;
const RETRIES = { firstMs: 50, longestMs: 1_000 };
/** Outcomes of batches that are retried at the same time. Beyond this, a batch stays open. */
const MOST_RETRIED = 100;

const judged = z.array(z.union([z.literal([0, 1, 2]), z.string()]));

export interface RedisBatchesOptions {
  readonly redis: Redis;
  readonly limits: TrackingLimits;
  readonly prefix: string;
}

/**
 * Makes the function that judges batches in Redis. Rejects while Redis is away. A batch is open there until this process
 * reports its outcome, or for `openTimeOf(limits)`. If the process dies in between, nobody knows whether its events were stored,
 * so no duplicate of them is acknowledged in that time.
 */
export function createRedisBatchJudge(
  options: RedisBatchesOptions,
): (events: readonly EventToJudge[]) => Promise<JudgedBatch> {
  const { redis, limits, prefix } = options;
  const openMs = openTimeOf(limits);
  const ofThisProcess = randomBytes(6).toString("base64url");
  const ownBatches = new OpenBatches<string>();
  let judgedBatches = 0;
  let retried = 0;
  // All keys of a batch are in one slot of a cluster, because a script cannot use several.
  const keyOf = (...parts: readonly (string | number)[]) => `${prefix}:{judge}:${parts.join(":")}`;
  const open = keyOf("open");
  const dropped = keyOf("dropped");

  function keysOf({ kind, occurredAt, address, visitor, adId }: EventToJudge): [string, string] {
    const minute = Math.floor(occurredAt / MINUTE_MS);
    return [keyOf("count", kind, minute, address, adId), keyOf("times", kind, visitor, adId)];
  }

  function argumentsOf({ kind, countable, occurredAt, limit }: EventToJudge): number[] {
    const isClick = kind === "click";
    const usual = isClick ? limits.clicksPerMinute : limits.impressionsPerMinute;
    const windowMs = isClick ? limits.clickWindowMs : limits.impressionWindowMs;
    return [limit ?? usual, windowMs, countable ? 1 : 0, occurredAt];
  }

  /** Reports the outcome of a batch to Redis, and retries while the batch is open. Resolves after the first try. */
  async function report(call: () => Promise<unknown>): Promise<void> {
    const until = performance.now() + openMs;
    if ((await succeeds(call)) || retried >= MOST_RETRIED) return;
    retried += 1;
    void retry(call, until).finally(() => {
      retried -= 1;
    });
  }

  async function drop(
    id: string,
    keys: readonly string[],
    events: readonly EventToJudge[],
    judgements: readonly Judgement[],
  ): Promise<void> {
    ownBatches.end(id, false);
    const took = events.map(({ limit }, index) =>
      limit !== 0 && (judgements[index] ?? "limited") !== "limited" ? 1 : 0,
    );
    await report(() => redis.eval(DROP, keys.length, ...keys, id, openMs, ...took));
  }

  async function isStored(id: string): Promise<boolean> {
    const own = ownBatches.outcomeOf(id);
    if (own !== null) return own;
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS)) {
      const state = await redis.eval(STATE, 2, open, dropped, id);
      if (state !== "open") return state === "stored";
    }
    return false;
  }

  return async (events) => {
    // Nothing has reached Redis yet, so there is nothing to undo.
    if (redis.status !== "ready") throw new Error("Redis is away; events cannot be judged.");
    judgedBatches += 1;
    const id = `${ofThisProcess}${judgedBatches.toString(36)}`;
    const keys = [open, dropped, ...events.flatMap(keysOf)];
    ownBatches.begin(id, performance.now() + openMs);
    let answers: z.infer<typeof judged>;
    try {
      const answer = await redis.eval(
        JUDGE,
        keys.length,
        ...keys,
        id,
        openMs,
        ...events.flatMap(argumentsOf),
      );
      answers = judged.parse(answer);
    } catch (error) {
      // A script that Redis refused did nothing. One without an answer may have run, or may still run.
      if (error instanceof ReplyError) ownBatches.end(id, false);
      else void drop(id, keys, events, []);
      throw error;
    }
    const waiting = new Map<number, string>();
    const judgements = answers.map((answer, index): Judgement => {
      if (typeof answer === "number") return JUDGED[answer];
      waiting.set(index, answer);
      return "duplicate";
    });

    return {
      judgements,
      confirm() {
        ownBatches.end(id, true);
        void report(() => redis.zrem(open, id));
      },
      drop: () => drop(id, keys, events, judgements),
      lostDuplicates: () => whichAreLost(waiting, isStored),
    };
  };
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
