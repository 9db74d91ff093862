import type { Offset, RangeOfOrigin } from "./port.ts";

/**
 * What the group has committed for a partition. Kafka keeps an offset and a text; the offset is where reading goes on,
 * the text holds the rest.
 */
export interface Marks {
  /** Everything below is in the stats store. */
  readonly next: Offset;
  /** The last offset of the intent, which begins at `next`; null when there is none. */
  readonly last: Offset | null;
  /** Of the intent; null when there is none, or when an earlier version has recorded it. */
  readonly origin: string | null;
  /** The topic's id: marks made on a former topic of the same name are worth nothing. */
  readonly topicId: string;
  /** What lies below may be in the stats store already although the marks do not say so, as they were lost. */
  readonly repeatsBelow: Offset;
}

export function encodeMarks({ last, origin, topicId, repeatsBelow }: Marks): string {
  return JSON.stringify({
    topic: topicId,
    repeats: String(repeatsBelow),
    ...(last !== null && { last: String(last) }),
    ...(last !== null && origin !== null && { origin }),
  });
}

/** Null when nothing was committed, or not by us on this topic. */
export function decodeMarks(offset: string, metadata: string | null, topicId: string): Marks | null {
  const next = BigInt(offset);
  if (next < 0n) return null;
  const { topic, repeats, last, origin } = fieldsOf(metadata ?? "");
  if (topic !== topicId) return null;
  return {
    next,
    last: asOffset(last),
    origin: typeof origin === "string" ? origin : null,
    topicId,
    repeatsBelow: asOffset(repeats) ?? 0n,
  };
}

/** `earlierOrigin` is that of every intent which an earlier version has recorded. */
export function intentOf({ next, last, origin }: Marks, earlierOrigin: string): RangeOfOrigin | null {
  return last === null ? null : { origin: origin ?? earlierOrigin, first: next, last };
}

function fieldsOf(metadata: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(metadata);
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}

function asOffset(given: unknown): Offset | null {
  return typeof given === "string" && /^\d+$/.test(given) ? BigInt(given) : null;
}
