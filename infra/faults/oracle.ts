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
  /** Sent to two processes and promised by both, and not stored as one that counts and one duplicate. */
  readonly unlike: readonly number[];
  /** Visitors in the store that no request was of. */
  readonly strangers: readonly string[];
}

/** Knows each request of the sentLog by its visitor in the store. */
export class Oracle {
  readonly adIds: readonly string[];
  readonly #sentLog: SentLog;
  readonly #numbers = new Map<string, number>();
  /** How many requests are known under each salt. */
  readonly #salts = new Map<string, number>();

  constructor(sentLog: SentLog, adIds: readonly string[]) {
    this.#sentLog = sentLog;
    this.adIds = adIds;
  }

  /** Visitors may have been hashed with this salt: of another day, or after Redis had lost the former one. */
  addSalt(salt: string): void {
    if (!this.#salts.has(salt)) this.#salts.set(salt, 0);
  }

  /** The number of the request behind a stored visitor; undefined for a stranger. */
  numberOf(visitor: string): number | undefined {
    return this.#numbers.get(visitor);
  }

  /** Has to be called before visitors of requests are asked for that were sent since the last time. */
  learn(): void {
    for (const [salt, known] of this.#salts) {
      for (let number = known; number < this.#sentLog.sent; number += 1) {
        this.#numbers.set(visitorOf(number, salt), number);
      }
      this.#salts.set(salt, this.#sentLog.sent);
    }
  }

  /** Holds all rows of the store against what was promised for the requests so far. */
  compare(rows: Iterable<StoredEvent>): Differences {
    this.learn();
    const times = new Uint8Array(this.#sentLog.sent);
    const duplicates = new Uint8Array(this.#sentLog.sent);
    const changed: number[] = [];
    const strangers: string[] = [];
    for (const { visitor, adId, kind, verdict } of rows) {
      const number = this.numberOf(visitor);
      if (number === undefined) {
        strangers.push(visitor);
        continue;
      }
      const mayBeDuplicate = this.#sentLog.attempts(number) > 1 || this.#sentLog.isTwin(number);
      const isDuplicate = verdict === "duplicate" && mayBeDuplicate;
      const seen = isDuplicate ? duplicates : times;
      seen[number] = Math.min((seen[number] ?? 0) + 1, 255);
      const sent = sentEvent(number, this.adIds);
      if (sent.adId !== adId || sent.kind !== kind || (verdict !== "valid" && !isDuplicate))
        changed.push(number);
    }
    const those = (matches: (stored: number, fate: Fate, attempts: number) => boolean) =>
      Array.from(times.keys()).filter((number) =>
        matches(times[number] ?? 0, this.#sentLog.fate(number), this.#sentLog.attempts(number)),
      );
    return {
      missing: those((stored, fate) => stored === 0 && fate === "promised"),
      doubled: those((stored, _fate, attempts) => stored > attempts),
      refusedAndStored: those((stored, fate) => stored > 0 && fate === "refused"),
      unlike: this.#sentLog.twins().filter((number) => times[number] !== 1 || duplicates[number] !== 1),
      changed,
      strangers,
    };
  }
}
