import type { EventKind } from "#libs/domain/event.ts";

/** An event that asks whether it may count. */
export interface EventToJudge {
  readonly adId: string;
  readonly kind: EventKind;
  /** Keyed hash of the address alone: the per-address limit holds whatever user agent is sent. */
  readonly address: string;
  /** Keyed hash of address and user agent: what a duplicate is told by. */
  readonly visitor: string;
  /** Whether an event by this visitor can count at all; those that cannot never make a later one a duplicate. */
  readonly countable: boolean;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  /** Events of the kind a minute for one address and ad, 0 for no limit; null for what the limits were made with. */
  readonly limit: number | null;
}

/** `limited` events are answered with false and stored nowhere; `duplicate` ones are stored and do not count. */
export type Judgement = "fresh" | "duplicate" | "limited";

/** How much one visitor may do, where an event brings no limit of its own. A limit or window of 0 is off. */
export interface TrackingLimits {
  /** Events a minute for one address and ad. */
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
  /** For how long the same visitor, ad and kind is a duplicate, in milliseconds. */
  readonly impressionWindowMs: number;
  readonly clickWindowMs: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window starts anew, in milliseconds. */
  readonly resetMs: number;
}

/**
 * A batch that was judged and whose events are not stored yet. Judging marks its visitors as seen and takes from limits;
 * exactly one of `confirm` and `drop` ends that, or neither where nobody can say whether the events were stored.
 *
 *     judged (open) ──confirm──▶ its events make later ones duplicates
 *        │  └───────drop─────▶ as if it had never been judged
 *        └── neither: later events are duplicates of it, but are not acknowledged, until the windows have passed
 */
export interface JudgedBatch {
  /** One for each event, in order. */
  readonly judgements: readonly Judgement[];
  /** Says that the events are durable. */
  confirm(): void;
  /** Undoes the marks and the used limits of events that are not stored and never will be. Never rejects. */
  drop(): Promise<void>;
  /**
   * The indexes of duplicates that must not be acknowledged: their originals, which were open when this batch was judged,
   * are not stored, or are still open after a quarter of a second.
   */
  lostDuplicates(): Promise<ReadonlySet<number>>;
}

/** Counters shared by all processes of an installation. */
export interface Limits {
  /** Judges a whole batch in one go, in order: an event sees those before it. A rejection leaves no mark behind. */
  judge(events: readonly EventToJudge[]): Promise<JudgedBatch>;
  /** Takes one from the budget of `key` in the named limit of `points` a `durationSeconds`. */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /** The secret that visitors are hashed with on a UTC day (`2026-11-21`), made at first use, gone a day later. */
  visitorSalt(day: string): Promise<string>;
  /** Whether events can be judged now; tries a write if writes can fail. Never rejects. */
  isWritable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface RateRule {
  readonly name: string;
  readonly points: number;
  readonly durationSeconds: number;
}
