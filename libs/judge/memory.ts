import { inPieces } from "#libs/async/index.ts";
import { type MapKey, RecentNumbers } from "#libs/off-heap-map/index.ts";
import { Knowledge } from "./knowledge.ts";
import { EVENTS_AT_ONCE } from "./lines.ts";
import { LATE_MS, LIVES_MS, latenessOf, limitKeyOf, markKeysOf } from "./marks.ts";
import type { EventToJudge, Judge, Judgement } from "./port.ts";

/** Marks and counts of late events live this long at least, in milliseconds. */
const LATE_LIVES_MS = 600_000;
/** A key takes about 30 bytes. */
const USUAL_MAX_KEYS = 1_000_000;
/**
 * Ranges whose judgements are remembered, a byte an event: each partition may have one that another owner in this process has to
 * finish, and those of Kafka are many.
 */
const REMEMBERED = 64;
const CODES: readonly Judgement[] = ["fresh", "duplicate", "limited"];

export interface MemoryJudgeOptions {
  /** Most marks and counts of events of now, and as many of late ones. Default 1,000,000. */
  readonly maxKeys?: number;
  /** Milliseconds of a clock that only goes forward. Default `performance.now`. */
  readonly now?: () => number;
}

/** A judge of an installation whose log is read by one process. What it knows is lost with the process. */
export function createMemoryJudge({ maxKeys = USUAL_MAX_KEYS, now }: MemoryJudgeOptions = {}): Judge {
  const clock = now === undefined ? {} : { now };
  const usual = new RecentNumbers({ maxKeys, livesMs: LIVES_MS, ...clock });
  /** Apart, so that a server that reports a day at once pushes out nothing of now. */
  const late = new RecentNumbers({ maxKeys, livesMs: LATE_LIVES_MS, ...clock });
  const remembered = new Map<string, Promise<Uint8Array>>();
  const knowledge = new Knowledge(now);

  function isLimited(event: EventToJudge, own: RecentNumbers): boolean {
    if (event.limit === 0) return false;
    const key = limitKeyOf(event);
    const taken = own.get(key) ?? 0;
    const other = own === usual ? late : usual;
    const takenOfOther = other.size === 0 ? 0 : (other.get(key) ?? 0);
    if (taken + takenOfOther >= event.limit) return true;
    own.set(key, taken + 1);
    return false;
  }

  function isNear(key: MapKey, { occurredAt, windowMs }: EventToJudge): boolean {
    const marked = usual.get(key);
    if (marked !== undefined && Math.abs(occurredAt - marked) < windowMs) return true;
    if (late.size === 0) return false;
    const lateMarked = late.get(key);
    return lateMarked !== undefined && Math.abs(occurredAt - lateMarked) < windowMs;
  }

  function judgeOne(event: EventToJudge): Judgement {
    const own = latenessOf(event) > LATE_MS ? late : usual;
    if (isLimited(event, own)) return "limited";
    const keys = markKeysOf(event);
    if (keys === null) return "fresh";
    if (event.isDuplicate === true) return "duplicate";
    if (isNear(keys.own, event) || isNear(keys.before, event) || isNear(keys.behind, event))
      return "duplicate";
    own.set(keys.own, event.occurredAt);
    if (keys.alias !== keys.own) own.set(keys.alias, event.occurredAt);
    return "fresh";
  }

  async function judgeAll(events: readonly EventToJudge[]): Promise<Uint8Array> {
    usual.expire();
    late.expire();
    const codes = new Uint8Array(events.length);
    let next = 0;
    for await (const piece of inPieces(events, EVENTS_AT_ONCE)) {
      for (const event of piece) {
        codes[next] = CODES.indexOf(judgeOne(event));
        next += 1;
      }
    }
    knowledge.judged();
    return codes;
  }

  return {
    get knowsSince() {
      return knowledge.since;
    },
    async judge(events, { name }) {
      const known = remembered.get(name);
      // Remembered before it is done: another owner may ask about the same range meanwhile.
      const codes = known ?? judgeAll(events);
      if (known === undefined) remembered.set(name, codes);
      const [oldest] = remembered.keys();
      if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      return Array.from(await codes, (code) => CODES[code] ?? "fresh");
    },
  };
}
