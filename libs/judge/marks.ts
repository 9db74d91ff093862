import type { EventKind } from "#libs/domain/event.ts";
import { KeyHasher, type MapKey } from "#libs/off-heap-map/index.ts";
import type { EventToJudge } from "./port.ts";

/** Marks and counts live this long at least, in milliseconds: partitions that lag differently still see each other's. */
export const LIVES_MS = 180_000;
/**
 * Lateness, in milliseconds, beyond which marks of named visitors and counts live no longer: what is over two minutes late is looked
 * for in the store, too. A server's clock may run ahead by as much, and then marks alone tell.
 */
export const LONGEST_LATENESS_MS = 300_000;
/** Events whose occurrence and append are further apart than this, in milliseconds, are late, or as much too early. */
export const LATE_MS = 60_000;

/** How far an event's occurrence and its append are apart, in milliseconds: a server's clock may run ahead. */
export function latenessOf({ appendedAt, occurredAt }: EventToJudge): number {
  return Math.abs(appendedAt - occurredAt);
}

/**
 * The key of an event's mark, and the keys that the marks of events within its window can have. Time is divided into spans of
 * the window's length. At most one event of a visitor counts in a span, so a mark is one time under the key of visitor and span,
 * and no mark replaces another.
 */
export interface MarkKeys {
  /** The keys of the event's span, of the span before and of the span behind it. */
  readonly own: MapKey;
  readonly before: MapKey;
  readonly behind: MapKey;
  /**
   * A second key of the event's own mark, for a visitor who asks for privacy: events of the span before know this one, and not
   * `own`. For any other visitor it is `own`.
   */
  readonly alias: MapKey;
}

interface Key {
  high: number;
  low: number;
}

const CLICKS = 0x5bd1e995;
const hasher = new KeyHasher();
/** Reused by every call, because ingestion asks for the keys of a million events per range. */
const [own, before, behind, alias]: [Key, Key, Key, Key] = [aKey(), aKey(), aKey(), aKey()];
const VISITOR: MarkKeys = { own, before, behind, alias: own };
const PRIVATE_VISITOR: MarkKeys = { own, before, behind, alias };

/** The keys, until the next call. Null for an event that can neither be nor have a duplicate. */
export function markKeysOf({ adId, kind, occurredAt, windowMs, visitor }: EventToJudge): MarkKeys | null {
  if (visitor === null || windowMs === 0) return null;
  if (typeof visitor === "object") {
    write(own, hasher.hash("own", visitor.own), 0);
    write(before, hasher.hash("own", visitor.before), 0);
    write(behind, hasher.hash("behind", visitor.own), 0);
    write(alias, hasher.hash("behind", visitor.before), 0);
    return PRIVATE_VISITOR;
  }
  const key = keyOf(adId, kind, visitor);
  const span = Math.floor(occurredAt / windowMs);
  write(behind, key, span + 1);
  write(before, key, span - 1);
  write(own, key, span);
  return VISITOR;
}

/** A number that is the same for all marks that are compared with each other: those of a visitor and an ad, or of an ad's private visitors. */
export function placeOf({ adId, kind, visitor }: EventToJudge): number {
  const { low } = typeof visitor === "string" ? keyOf(adId, kind, visitor) : hasher.hash("private", adId);
  return low >>> 0;
}

/** The key of an event's limit, until the next call. */
export function limitKeyOf({ limitKey }: EventToJudge): MapKey {
  return hasher.hash("limit", limitKey);
}

function keyOf(adId: string, kind: EventKind, visitor: string): MapKey {
  const { high, low } = hasher.hash(adId, visitor);
  return { high: kind === "click" ? high ^ CLICKS : high, low };
}

function aKey(): Key {
  return { high: 0, low: 0 };
}

function write(key: Key, { high, low }: MapKey, span: number): void {
  key.high = high;
  key.low = mixed(low + span);
  // A key is never 0.
  if (key.high === 0 && key.low === 0) key.low = 1;
}

/**
 * Another number for each of 32 bits (MurmurHash3's `fmix32`). Otherwise neighbours in time were neighbours in memory, and a table
 * with linear probing would be searched for as long as somebody was seen without a pause.
 */
function mixed(number: number): number {
  const half = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}
