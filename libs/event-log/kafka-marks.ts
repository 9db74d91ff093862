import type { Offset, OffsetRange } from "./port.ts";

/**
 * What the group has committed for a partition. Kafka keeps an offset and a text; the offset is where reading goes on,
 * the text holds the rest.
 */
export interface Marks {
  /** Everything below is in the stats store. */
  readonly next: Offset;
  /** The last offset of the intent, which begins at `next`; null when there is none. */
  readonly last: Offset | null;
  /** The topic's id: marks made on a former topic of the same name are worth nothing. */
  readonly topicId: string;
  /** What lies below may be in the stats store already although the marks do not say so, as they were lost. */
  readonly repeatsBelow: Offset;
}

export function encodeMarks({ last, topicId, repeatsBelow }: Marks): string {
  return JSON.stringify({
    topic: topicId,
    repeats: String(repeatsBelow),
    ...(last !== null && { last: String(last) }),
  });
}

/** Null when nothing was committed, or not by us on this topic. */
export function decodeMarks(offset: string, metadata: string | null, topicId: string): Marks | null {
  const next = BigInt(offset);
  if (next < 0n) return null;
  const { topic, repeats, last } = fieldsOf(metadata ?? "");
  if (topic !== topicId) return null;
  return { next, last: asOffset(last), topicId, repeatsBelow: asOffset(repeats) ?? 0n };
}

export function intentOf({ next, last }: Marks): OffsetRange | null {
  return last === null ? null : { first: next, last };
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
