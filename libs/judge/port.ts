import type { EventKind } from "#libs/domain/event.ts";

/** An event of the log, as far as it is judged. It brings its own limit and window, so a judge has no settings. */
export interface EventToJudge {
  readonly adId: string;
  readonly kind: EventKind;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  /** When the log took it, in milliseconds since the epoch. It tells the judge how late the event is. */
  readonly appendedAt: number;
  /** Names address, ad, kind and minute. */
  readonly limitKey: string;
  /** Events that the key may have; 0 is no limit. */
  readonly limit: number;
  /** Within this time of an event that counts, in milliseconds, others of the visitor are duplicates; 0 is never. */
  readonly windowMs: number;
  /** Null where nobody knows the visitor, or where the event cannot count. */
  readonly visitor: string | PrivateVisitor | null;
  /** Whether the caller knows that it is a duplicate, of an event that the judge may have forgotten. Default false. */
  readonly isDuplicate?: boolean;
}

/** A visitor who asks for privacy, named by a key of the event's window and one of the window before. Other windows have other keys. */
export interface PrivateVisitor {
  readonly own: string;
  readonly before: string;
}

/**
 * - `limited`: the address has used up its limit for the ad and kind in this minute
 * - `duplicate`: within the window of an event that counts
 * - `fresh`: neither
 */
export type Judgement = "fresh" | "duplicate" | "limited";

/**
 * Judges events that are durable already, so there is nothing to undo. Of two events of a visitor, ad and kind within the window one is
 * fresh, whatever the order in which they are judged; a duplicate does not prolong the window. Every event takes one from its limit,
 * unless it is limited.
 */
export interface Judge {
  /** The judge may not know events that occurred before this time, in milliseconds since the epoch, even if they came in time. */
  readonly knowsSince: number;
  /**
   * The judgements of all events, in order. The same range gets the same judgements again until a later one of its origin is judged, for
   * a day where several processes share them. An earlier range in between changes nothing of that. Calls with one range have the same
   * events; only `isDuplicate` may differ, and the first call decides. Rejects with `JudgeError`; a retry may succeed.
   */
  judge(events: readonly EventToJudge[], range: JudgedRange): Promise<readonly Judgement[]>;
}

/** The range of a log that has the events. */
export interface JudgedRange {
  /**
   * Whose offsets `first` is one of. A range of an origin is judged only when those before it are stored, except by a reader that has lost
   * its partition without knowing it, or after the log is read again from its beginning.
   */
  readonly origin: string;
  readonly first: bigint;
  /** Names the range, and no other. */
  readonly name: string;
}

/** The judge does not answer now. */
export class JudgeError extends Error {
  override readonly name = "JudgeError";
}
