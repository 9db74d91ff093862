import { type RedisClient, runScript } from "#libs/redis/index.ts";
import { LimitsError } from "./errors.ts";
import { openTimeOf } from "./open-batches.ts";
import type { BatchToJudge, EventToJudge, Judgement, TrackingLimits } from "./port.ts";
import { CONFIRM, DROP, JUDGE, JUDGED, SETTLE, STATE, WAITS } from "./redis-judging.ts";

const MINUTE_MS = 60_000;

export interface RedisBucketOptions {
  readonly redis: RedisClient;
  readonly limits: TrackingLimits;
  readonly prefix: string;
  /** The hash tag of the bucket's keys: they are in one slot of a cluster, because a script cannot use several. */
  readonly tag: string;
}

/** What Redis has answered about events. */
export interface Answers {
  readonly judgements: readonly Judgement[];
  /** The open batch that has the original of a duplicate, by the duplicate's index. */
  readonly waiting: ReadonlyMap<number, string>;
}

/** Some of the addresses, with their visitors and the parts of batches that are theirs. Each method is one call, and may reject. */
export interface RedisBucket {
  judge(batch: BatchToJudge, events: readonly EventToJudge[]): Promise<Answers>;
  confirm(id: string, rememberedMs: number): Promise<unknown>;
  settle(id: string): Promise<unknown>;
  drop(batch: BatchToJudge, events: readonly EventToJudge[]): Promise<unknown>;
  /** `open`, `dropped` or `stored`. */
  stateOf(id: string): Promise<unknown>;
}

export function createRedisBucket({ redis, limits, prefix, tag }: RedisBucketOptions): RedisBucket {
  const openMs = openTimeOf(limits);
  const start = `${prefix}:{${tag}}:`;
  const open = `${start}open`;
  const dropped = `${start}dropped`;
  const keysOfBatch = (id: string) => [open, dropped, `${start}answers:${id}`];

  function keysOf(id: string, events: readonly EventToJudge[]): string[] {
    const keys = keysOfBatch(id);
    for (const { kind, occurredAt, address, visitor, adId } of events) {
      const minute = Math.floor(occurredAt / MINUTE_MS);
      keys.push(
        `${start}count:${kind}:${minute}:${address}:${adId}`,
        `${start}times:${kind}:${visitor}:${adId}`,
      );
    }
    return keys;
  }

  function limitOf({ kind, limit }: EventToJudge): number {
    return limit ?? (kind === "click" ? limits.clicksPerMinute : limits.impressionsPerMinute);
  }

  /** What each script has to know of a batch that it judges or undoes. */
  function valuesOf({ id, isDurable = false }: BatchToJudge): (string | number)[] {
    return [id, openMs, isDurable ? "durable" : ""];
  }

  return {
    async judge(batch, events) {
      const { isLate = false, isOfAnyTime = false } = batch;
      const values = [...valuesOf(batch), isLate ? "late" : isOfAnyTime ? "any time" : ""];
      for (const event of events) {
        const windowMs = event.kind === "click" ? limits.clickWindowMs : limits.impressionWindowMs;
        values.push(limitOf(event), windowMs, event.countable ? 1 : 0, event.occurredAt);
      }
      return answersOf(await runScript(redis, JUDGE, keysOf(batch.id, events), values));
    },
    confirm: (id, rememberedMs) => runScript(redis, CONFIRM, keysOfBatch(id), [id, rememberedMs]),
    settle: (id) => runScript(redis, SETTLE, keysOfBatch(id), [id]),
    drop(batch, events) {
      const values = [...valuesOf(batch), ...events.map((event) => (limitOf(event) > 0 ? 1 : 0))];
      return runScript(redis, DROP, keysOf(batch.id, events), values);
    },
    stateOf: (id) => runScript(redis, STATE, [open, dropped], [id]),
  };
}

function answersOf(answer: unknown): Answers {
  if (typeof answer !== "string")
    throw new LimitsError("FAILED", "Redis has answered something else than judgements.");
  const [digits = "", ...batches] = answer.split(" ");
  const waiting = new Map<number, string>();
  const judgements = Array.from(digits, (digit, index): Judgement => {
    const judgement = JUDGED[Number(digit)];
    if (judgement === undefined) throw new LimitsError("FAILED", "Redis has answered an unknown judgement.");
    const original = digit === WAITS ? batches[waiting.size] : undefined;
    if (original !== undefined) waiting.set(index, original);
    return judgement;
  });
  return { judgements, waiting };
}
