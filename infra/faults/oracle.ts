import { sentEvent, visitorOf } from "./sent-event.ts";
import type { Fate, SentLog } from "./sent-log.ts";

/** A row of `events`, as far as a request can be known by it. */
export interface StoredEvent {
  readonly visitor: string;
  readonly adId: string;
  readonly kind: string;
  readonly verdict: string;
}

/** What the store and the promises disagree on. All lists are empty where they agree. */
export interface Differences {
  /** Promised, and not counted: no row of it is `valid`. */
  readonly missing: readonly number[];
  /** Counted more often than once, or than it was sent again after it had failed. */
  readonly doubled: readonly number[];
  /** Answered `success: false`, and in the store all the same. */
  readonly refusedAndStored: readonly number[];
  /** In the store under another ad or kind than was sent, or not as `valid`, or, where it was sent again, `duplicate`. */
  readonly changed: readonly number[];
  /**
   * Sent to two processes and promised by both, and not stored as one that counts and one duplicate; on two days, not as two
   * that count.
   */
  readonly unlike: readonly number[];
  /** Visitors in the store that no request was of. */
  readonly strangers: readonly string[];
}

/** Knows each request of the sentLog by its visitor in the store. */
export class Oracle {
  readonly adIds: readonly string[];
  readonly #sentLog: SentLog;
  /** By salt: its day, and the numbers of the requests by visitor. */
  readonly #salts = new Map<string, { readonly day: string; readonly numbers: Map<string, number> }>();

  constructor(sentLog: SentLog, adIds: readonly string[]) {
    this.#sentLog = sentLog;
    this.adIds = adIds;
  }

  /** Visitors of the day may have been hashed with this salt. A day has several where Redis has lost the former one. */
  addSalt(salt: string, day: string): void {
    if (!this.#salts.has(salt)) this.#salts.set(salt, { day, numbers: new Map() });
  }

  /** The number of the request behind a stored visitor; undefined for a stranger. */
  numberOf(visitor: string): number | undefined {
    return this.#find(visitor)?.number;
  }

  /** Has to be called before visitors of requests are asked for that were sent since the last time. */
  learn(): void {
    for (const [salt, { numbers }] of this.#salts) {
      for (let number = numbers.size; number < this.#sentLog.sent; number += 1) {
        numbers.set(visitorOf(number, salt), number);
      }
    }
  }

  /** Holds all rows of the store against what was promised for the requests so far. */
  compare(rows: Iterable<StoredEvent>): Differences {
    this.learn();
    const times = new Uint8Array(this.#sentLog.sent);
    const duplicates = new Uint8Array(this.#sentLog.sent);
    const daysOfTwins = new Map<number, Set<string>>();
    const changed: number[] = [];
    const strangers: string[] = [];
    for (const { visitor, adId, kind, verdict } of rows) {
      const found = this.#find(visitor);
      if (found === undefined) {
        strangers.push(visitor);
        continue;
      }
      const { number, day } = found;
      if (this.#sentLog.isTwin(number))
        daysOfTwins.set(number, (daysOfTwins.get(number) ?? new Set()).add(day));
      const mayBeDuplicate = this.#sentLog.attempts(number) > 1 || this.#sentLog.isTwin(number);
      const isDuplicate = verdict === "duplicate" && mayBeDuplicate;
      const seen = isDuplicate ? duplicates : times;
      seen[number] = Math.min((seen[number] ?? 0) + 1, 255);
      const sent = sentEvent(number, this.adIds);
      if (sent.adId !== adId || sent.kind !== kind || (verdict !== "valid" && !isDuplicate))
        changed.push(number);
    }
    const those = (matches: (stored: number, fate: Fate, attempts: number, number: number) => boolean) =>
      Array.from(times.keys()).filter((number) =>
        matches(times[number] ?? 0, this.#sentLog.fate(number), this.#sentLog.attempts(number), number),
      );
    const isOverMidnight = (number: number) => daysOfTwins.get(number)?.size === 2;
    /** The same visitor once more, or, as each day has its own salt, two visitors. */
    const isAlike = (number: number) =>
      isOverMidnight(number)
        ? times[number] === 2 && duplicates[number] === 0
        : times[number] === 1 && duplicates[number] === 1;
    return {
      missing: those((stored, fate) => stored === 0 && fate === "promised"),
      doubled: those(
        (stored, _fate, attempts, number) => stored > attempts + (isOverMidnight(number) ? 1 : 0),
      ),
      refusedAndStored: those((stored, fate) => stored > 0 && fate === "refused"),
      unlike: this.#sentLog.twins().filter((number) => !isAlike(number)),
      changed,
      strangers,
    };
  }

  #find(visitor: string): { readonly number: number; readonly day: string } | undefined {
    for (const { day, numbers } of this.#salts.values()) {
      const number = numbers.get(visitor);
      if (number !== undefined) return { number, day };
    }
    return undefined;
  }
}
