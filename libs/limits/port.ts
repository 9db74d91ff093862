import type { EventKind } from "#libs/domain/event.ts";

/** An event to be judged. */
export interface EventToJudge {
  readonly adId: string;
  readonly kind: EventKind;
  /** Keyed hash of the address alone: the per-address limit holds whatever user agent is sent. */
  readonly address: string;
  /** Keyed hash of address and user agent, by which duplicates are recognized. */
  readonly visitor: string;
  /** Whether an event by this visitor can count at all; those that cannot never make a later one a duplicate. */
  readonly countable: boolean;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  /** Events of the kind per minute, address and ad. 0 is no limit, null the default of `TrackingLimits`. */
  readonly limit: number | null;
}

/** `limited` events are answered with false and not stored; `duplicate` ones are stored and do not count. */
export type Judgement = "fresh" | "duplicate" | "limited";

/** The limits per visitor, unless an event has its own. A limit or window of 0 is off. */
export interface TrackingLimits {
  /** Events per minute, address and ad. */
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
  /** How long an event of the same visitor, ad and kind is a duplicate, in milliseconds. */
  readonly impressionWindowMs: number;
  readonly clickWindowMs: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the next window. */
  readonly resetMs: number;
}

/** What names a batch, and how it is judged. */
export interface BatchToJudge {
  /**
   * Of letters, digits, `_` and `-`, and no other batch's. Judging an id again, in whichever process, gives the same judgements and leaves no
   * second mark while the judge remembers the batch: until it is confirmed or dropped, a day at most.
   */
  readonly id: string;
  /**
   * The events come much later than they occurred. Their marks and counts then live as long as they are late, a visitor has
   * many marks, and judging waits for the end of open batches that have originals: a duplicate whose original was not stored
   * counts, and none is lost. Default false.
   */
  readonly isLate?: boolean;
  /**
   * The events are durable before they are judged, and will be stored whatever becomes of this process. So nothing waits for such
   * a batch, and an attempt under the same id that was not durable undoes nothing of it. Where it is judged late, its own
   * duplicates wait for the end of their originals half as long as others. Default false.
   */
  readonly isDurable?: boolean;
  /**
   * The events occurred at any times of a day, before or after now. Their marks and counts live for ten minutes at least, whatever the
   * times of events that come after them. Default false.
   */
  readonly isOfAnyTime?: boolean;
  /** The judge remembers the batch for an hour after it was confirmed, because a client may send it again. Default false. */
  readonly isRepeatable?: boolean;
}

/**
 * A judged batch whose events are not stored yet. Judging marks its visitors as seen and uses up limits; `confirm` or
 * `drop` ends that. Neither is called when it is unclear whether the events were stored.
 *
 *     judged (open) ──confirm──▶ its events make later ones duplicates
 *        │  └───────drop─────▶ as if it had never been judged
 *        └── neither: later events are duplicates of it, but are not acknowledged, until the windows have passed
 */
export interface JudgedBatch {
  /** One for each event, in order. */
  readonly judgements: readonly Judgement[];
  /** The events are durable. */
  confirm(): void;
  /** Undoes the marks and the used limits of events that are not stored and never will be. Never rejects. */
  drop(): Promise<void>;
  /**
   * The indexes of duplicates that must not be acknowledged: their originals, which were open when this batch was judged,
   * are not stored, or are still open after a second.
   */
  lostDuplicates(): Promise<ReadonlySet<number>>;
}

/** Counters shared by all processes of an installation. */
export interface Limits {
  /**
   * Judges a whole batch in one go, in order: an event sees those before it. Rejects with `LimitsError` when the batch cannot be
   * judged now, and soon, so that its events can be kept unjudged. Unless it was `REFUSED`, it may be judged all the same, later:
   * the caller then calls `settle` once the events are durable, or `abandon` when they are not and never will be.
   */
  judge(events: readonly EventToJudge[], batch: BatchToJudge): Promise<JudgedBatch>;
  /** The events of a batch whose judging was rejected are durable: should it be judged after all, it is not open. Never rejects. */
  settle(id: string): Promise<void>;
  /** Nothing of a batch whose judging was rejected is durable: should it be judged after all, that is undone. Never rejects. */
  abandon(id: string): Promise<void>;
  /** Takes one from the budget of `key`: `points` per `durationSeconds`. */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /**
   * The secret that visitors are hashed with on a UTC day (`2026-11-21`), gone a day later. Rejects where this process does not
   * know it and cannot share one. Processes that have used different ones agree on one of them, so ask again for each batch.
   */
  visitorSalt(day: string): Promise<string>;
  /** Whether events can be judged now; attempts a write if writes can fail. Never rejects. */
  isWritable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface RateRule {
  readonly name: string;
  readonly points: number;
  readonly durationSeconds: number;
}
