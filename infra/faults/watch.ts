import type { Oracle } from "./oracle.ts";
import type { SentLog } from "./sent-log.ts";
import type { Stored } from "./stored.ts";

/** The promised delay until events show in stats: an installation may be behind by this much. */
const SHOWN_WITHIN_MS = 3_000;
/** All requests of this period must have succeeded. */
const STEADY_FOR_MS = 1_000;

/** The longest time before the watch began at which a request may have been sent. */
const MARGIN_MS = 1_000;

/**
 * Tells whether an installation works as it should under load: everything is answered, and what was promised
 * three seconds ago can be read from the store.
 */
export class Watch {
  readonly #sentLog: SentLog;
  readonly #oracle: Oracle;
  readonly #stored: Stored;
  readonly #firstNumber: number;
  readonly #since = Date.now() - MARGIN_MS;
  /** How much had been sent when. */
  readonly #marks: { readonly at: number; readonly sent: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(sentLog: SentLog, oracle: Oracle, stored: Stored) {
    this.#sentLog = sentLog;
    this.#oracle = oracle;
    this.#stored = stored;
    this.#firstNumber = sentLog.sent;
    this.#mark();
    this.#timer = setInterval(() => this.#mark(), 100);
  }

  /**
   * For a second everything has been answered, and nothing is held up: neither what was promised by `since`
   * (milliseconds) nor what was promised three seconds ago. Throws while ClickHouse is away.
   */
  async isWell(since: number): Promise<boolean> {
    const now = Date.now();
    const { tracking, serving } = this.#sentLog.between(now - STEADY_FOR_MS, now);
    const isSteady = tracking.asked > 0 && tracking.answered === tracking.asked;
    if (!isSteady || serving.answered < serving.asked || now < since) return false;
    const dueAt = Math.max(since, now - SHOWN_WITHIN_MS);
    const due = this.#marks.find(({ at }) => at >= dueAt)?.sent ?? this.#sentLog.sent;
    return (await this.promisedAndNotStored(due)) === 0;
  }

  /** How many of the requests since the beginning, up to `end`, were promised and are not in the store. */
  async promisedAndNotStored(end = this.#sentLog.sent): Promise<number> {
    const visitors = await this.#stored.visitors(this.#since);
    this.#oracle.learn();
    const isStored = new Uint8Array(this.#sentLog.sent);
    for (const visitor of visitors) {
      const number = this.#oracle.numberOf(visitor);
      if (number !== undefined) isStored[number] = 1;
    }
    let count = 0;
    for (let number = this.#firstNumber; number < end; number += 1) {
      if (isStored[number] === 0 && this.#sentLog.fate(number) === "promised") count += 1;
    }
    return count;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #mark(): void {
    this.#marks.push({ at: Date.now(), sent: this.#sentLog.sent });
  }
}
