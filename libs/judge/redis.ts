import { Cluster } from "ioredis";
import type { MapKey } from "#libs/off-heap-map/index.ts";
import { type RedisClient, type RedisHealth, runScript, type Script, spreadTags } from "#libs/redis/index.ts";
import { keyText } from "./key-text.ts";
import { Knowledge } from "./knowledge.ts";
import { LIVES_MS, LONGEST_LATENESS_MS, latenessOf, limitKeyOf, markKeysOf, placeOf } from "./marks.ts";
import { type EventToJudge, type Judge, type JudgedRange, JudgeError, type Judgement } from "./port.ts";
import { foundIn, KNOWN, labelOf, MARK, shortened, TAKE } from "./redis-scripts.ts";

/** The number of parts of the keys on a cluster. Processes that differ in it would not see each other's events. */
const BUCKETS = 24;
/** Events per call at most. During a call, Redis does nothing else for a few milliseconds. */
const EVENTS_IN_A_CALL = 500;
const CALLS_AT_ONCE = 8;

export interface RedisJudgeOptions {
  /** From `openRedis`; the caller closes it. */
  readonly redis: RedisClient;
  /** Watches the connection; the caller closes it. */
  readonly health: RedisHealth;
  /** The prefix of each key, which separates installations on one server. Default `placard`. */
  readonly prefix?: string;
}

/** Events that are judged by one call. */
interface Call {
  readonly tag: string;
  /** Its number among the calls with the tag. */
  readonly number: number;
  /** The indexes of its events in the list. */
  readonly indexes: readonly number[];
}

/**
 * Creates a judge that all processes of an installation share, in Redis or a Redis Cluster. First every event takes from its limit.
 * Then duplicates are looked for among the events that are within their limits. Each step is divided into calls with the keys of one
 * slot. Redis remembers the answer to each call, so a range gets the same answers after a failure halfway and from another process, until
 * a later range of its origin has a call in the same place.
 */
export function createRedisJudge({ redis, health, prefix = "placard" }: RedisJudgeOptions): Judge {
  const knowledge = new Knowledge();
  const tags = redis instanceof Cluster ? spreadTags(BUCKETS) : ["judge"];

  /** Runs a script over the events of the indexes. Returns the indexes that it found. `step` tells its answers from the other script's. */
  async function run(
    script: Script,
    range: JudgedRange,
    step: string,
    indexes: readonly number[],
    placeAt: (index: number) => number,
    partsOf: (index: number, key: (key: MapKey) => string) => Parts,
  ): Promise<number[]> {
    const calls = callsOf(tags, indexes, placeAt);
    const found: number[] = [];
    const origin = shortened(range.origin);
    const label = labelOf(range);
    const ask = async ({ tag, number, indexes: own }: Call) => {
      const before = `${prefix}:{${tag}}:`;
      const answers = `${before}answers:${origin}:${step}:${number}`;
      const keys = [answers, `${answers}:earlier`];
      const values: (string | number)[] = [label];
      for (const index of own) {
        const parts = partsOf(index, (key) => before + keyText(key));
        keys.push(...parts.keys);
        values.push(...parts.values);
      }
      const said = await health.call(() => runScript(redis, script, keys, values));
      if (typeof said !== "string") throw new JudgeError("Redis has answered something else than bits.");
      for (const n of foundIn(said)) {
        const index = own[n];
        if (index === undefined) throw new JudgeError("Redis has answered a number that no event has.");
        found.push(index);
      }
    };
    for (let next = 0; next < calls.length; next += CALLS_AT_ONCE) {
      const some = calls.slice(next, next + CALLS_AT_ONCE);
      await Promise.all(some.map(ask));
    }
    return found;
  }

  async function judge(events: readonly EventToJudge[], range: JudgedRange): Promise<readonly Judgement[]> {
    const judgements = Array<Judgement>(events.length).fill("fresh");
    const at = (index: number): EventToJudge => {
      const event = events[index];
      if (event === undefined) throw new JudgeError(`There is no event ${index}.`);
      return event;
    };
    const having = (condition: (event: EventToJudge, index: number) => boolean) =>
      [...events.keys()].filter((index) => condition(at(index), index));

    const withLimit = having(({ limit }) => limit > 0);
    const placeOfLimit = (index: number) => limitKeyOf(at(index)).low >>> 0;
    const limited = await run(TAKE, range, "l", withLimit, placeOfLimit, (index, key) => {
      const event = at(index);
      return { keys: [key(limitKeyOf(event))], values: [event.limit, livesOf(event)] };
    });
    for (const index of limited) judgements[index] = "limited";

    const withVisitor = having(
      ({ visitor, windowMs }, index) => visitor !== null && windowMs > 0 && judgements[index] !== "limited",
    );
    const placeOfMark = (index: number) => placeOf(at(index));
    const duplicates = await run(MARK, range, "d", withVisitor, placeOfMark, (index, key) => {
      const event = at(index);
      const marks = markKeysOf(event);
      if (marks === null) throw new JudgeError("An event without a visitor has no mark.");
      const own = key(marks.own);
      const alias = marks.alias === marks.own ? own : key(marks.alias);
      return {
        keys: [own, key(marks.before), key(marks.behind), alias],
        values: [event.occurredAt, event.isDuplicate === true ? KNOWN : event.windowMs, livesOf(event)],
      };
    });
    for (const index of duplicates) judgements[index] = "duplicate";
    knowledge.judged();
    return judgements;
  }

  return {
    get knowsSince() {
      return knowledge.since;
    },
    judge: (events, range) =>
      judge(events, range).catch((cause: unknown) => {
        if (cause instanceof JudgeError) throw cause;
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new JudgeError(`Redis does not judge: ${reason}`, { cause });
      }),
  };
}

/** The keys and values of one event in a call. */
interface Parts {
  readonly keys: readonly string[];
  readonly values: readonly number[];
}

/**
 * A mark or count lives longer by as much as its event is late or early. So another event finds it, whether as late or in time. For named
 * visitors the addition is bounded: a server that reports a day at once would fill the memory for a day.
 */
function livesOf(event: EventToJudge): number {
  const isPrivate = typeof event.visitor === "object" && event.visitor !== null;
  const lateness = latenessOf(event);
  return LIVES_MS + (isPrivate ? lateness : Math.min(lateness, LONGEST_LATENESS_MS));
}

/** Divides the indexes the same way each time, because the answers are remembered by call. Outside a cluster they have one tag. */
function callsOf(
  tags: readonly string[],
  indexes: readonly number[],
  placeAt: (index: number) => number,
): Call[] {
  const [only = ""] = tags;
  const buckets = tags.length === 1 ? [{ tag: only, indexes }] : bucketsOf(tags, indexes, placeAt);
  return buckets.flatMap(({ tag, indexes: own }) =>
    Array.from({ length: Math.ceil(own.length / EVENTS_IN_A_CALL) }, (_, number) => ({
      tag,
      number,
      indexes: own.slice(number * EVENTS_IN_A_CALL, (number + 1) * EVENTS_IN_A_CALL),
    })),
  );
}

function bucketsOf(
  tags: readonly string[],
  indexes: readonly number[],
  placeAt: (index: number) => number,
): { tag: string; indexes: number[] }[] {
  const buckets = tags.map((tag) => ({ tag, indexes: [] as number[] }));
  for (const index of indexes) buckets[placeAt(index) % buckets.length]?.indexes.push(index);
  return buckets;
}
