/**
 * How a request ended.
 * - `waiting`: no answer yet
 * - `promised`: `success: true`
 * - `refused`: `success: false`, which nothing here should get
 * - `unavailable`: any other answer, 503 above all
 * - `broken`: no answer, or half of one; it may have been stored all the same
 */
const FATES = ["waiting", "promised", "refused", "unavailable", "broken"] as const;
export type Fate = (typeof FATES)[number];

const CAPACITY = 2 ** 21;
const PROMISED_TWIN = 2;

/** What was asked in one second, by the time of asking. */
export interface Second {
  asked: number;
  answered: number;
}

/** Every request that was sent, by number, with its outcome, and how many of each second succeeded. */
export class SentLog {
  /** An index into `FATES`. */
  readonly #fates = new Uint8Array(CAPACITY);
  /** Milliseconds since the epoch. */
  readonly #sentAt = new Float64Array(CAPACITY);
  readonly #attempts = new Uint8Array(CAPACITY);
  /** 0 for an event that is sent to one process only, 1 for one that goes to another as well, 2 once that has promised it. */
  readonly #twins = new Uint8Array(CAPACITY);
  /** By whole second since the epoch. */
  readonly #tracking = new Map<number, Second>();
  readonly #serving = new Map<number, Second>();
  #sent = 0;
  #promised = 0;
  #settled = 0;

  /** Requests sent so far; the next one has this number. */
  get sent(): number {
    return this.#sent;
  }

  get promised(): number {
    return this.#promised;
  }

  get waiting(): number {
    return this.#sent - this.#settled;
  }

  fate(number: number): Fate {
    return FATES[this.#fates[number] ?? 0] ?? "waiting";
  }

  /** How often the request was sent. */
  attempts(number: number): number {
    return this.#attempts[number] ?? 0;
  }

  /** Whether the event was sent to another process as well. */
  isTwin(number: number): boolean {
    return this.#twins[number] !== 0;
  }

  /** Twins that both processes promised at the first try: exactly one of the two counts, and the other is a duplicate. */
  twins(first = 0): number[] {
    const isPromised = (number: number) => this.fate(number) === "promised" && this.attempts(number) === 1;
    const all: number[] = [];
    for (let number = first; number < this.#sent; number += 1)
      if (this.#twins[number] === PROMISED_TWIN && isPromised(number)) all.push(number);
    return all;
  }

  /** Records that the event goes to another process as well. */
  sendTwin(number: number): void {
    this.#twins[number] = 1;
  }

  /** Records how that request ended. It counts as a request of its own. */
  settleTwin(number: number, sentAt: number, isPromised: boolean): void {
    if (isPromised) this.#twins[number] = PROMISED_TWIN;
    note(this.#tracking, sentAt, isPromised);
  }

  sentAt(number: number): number {
    return this.#sentAt[number] ?? 0;
  }

  /** Records a request that is being sent and returns its number. */
  send(at = Date.now()): number {
    if (this.#sent === CAPACITY) throw new RangeError("the log of sent requests is full");
    this.#sentAt[this.#sent] = at;
    this.#attempts[this.#sent] = 1;
    this.#sent += 1;
    return this.#sent - 1;
  }

  /** Records a request that failed and is sent again. */
  retry(number: number): void {
    this.#attempts[number] = this.attempts(number) + 1;
  }

  /** Records how a request ended. One that had to be sent again does not count as a success. */
  settle(number: number, fate: Exclude<Fate, "waiting">): void {
    this.#fates[number] = FATES.indexOf(fate);
    this.#settled += 1;
    if (fate === "promised") this.#promised += 1;
    note(this.#tracking, this.sentAt(number), fate === "promised" && this.attempts(number) === 1);
  }

  /** Records a request for ads. */
  recordAdRequest(sentAt: number, isAnswered: boolean): void {
    note(this.#serving, sentAt, isAnswered);
  }

  /** Events and ad requests that were sent between the two moments (milliseconds) and have ended. */
  between(from: number, to: number): { tracking: Second; serving: Second } {
    return { tracking: sum(this.#tracking, from, to), serving: sum(this.#serving, from, to) };
  }

  /** How many of each fate there are among the numbers from `first` to before `end`. */
  count(first = 0, end = this.#sent): Record<Fate, number> {
    const counts = { waiting: 0, promised: 0, refused: 0, unavailable: 0, broken: 0 };
    for (let number = first; number < end; number += 1) counts[this.fate(number)] += 1;
    return counts;
  }
}

function note(seconds: Map<number, Second>, sentAt: number, isAnswered: boolean): void {
  const key = Math.floor(sentAt / 1000);
  const second = seconds.get(key) ?? { asked: 0, answered: 0 };
  second.asked += 1;
  if (isAnswered) second.answered += 1;
  seconds.set(key, second);
}

/** Whole seconds: the first and the last count in full. */
function sum(seconds: ReadonlyMap<number, Second>, from: number, to: number): Second {
  const total = { asked: 0, answered: 0 };
  for (const [key, { asked, answered }] of seconds) {
    if (key < Math.floor(from / 1000) || key > Math.floor(to / 1000)) continue;
    total.asked += asked;
    total.answered += answered;
  }
  return total;
}
