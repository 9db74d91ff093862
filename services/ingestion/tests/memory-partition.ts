import {
  type DeadLetter,
  type EventBatch,
  type EventRange,
  type OffsetRange,
  type Partition,
  type RangeOfOrigin,
  type ReadLimits,
  rangeName,
} from "#libs/event-log/port.ts";

/** A partition in memory that outlives its workers, as a log outlives processes. Offsets start at 1. */
export class MemoryPartition implements Partition {
  readonly id = "memory:0";
  /** The origin of what is read from now on. */
  origin = "memory:0";
  readonly batches: EventBatch[] = [];
  readonly letters: DeadLetter[] = [];
  ending = new AbortController();
  #committed = 0;
  #intent: RangeOfOrigin | null = null;
  #judged: { readonly range: string; readonly judgements: Uint8Array } | null = null;

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get isDrained(): boolean {
    return this.#committed === this.batches.length;
  }

  recordedIntent(): Promise<RangeOfOrigin | null> {
    return Promise.resolve(this.#intent);
  }

  /** Ends the worker where there is nothing more to read. */
  readNext({ maxEvents }: ReadLimits): Promise<EventRange | null> {
    const batches = this.batches.slice(this.#committed, this.#committed + maxEvents);
    if (batches.length === 0) {
      this.ending.abort();
      return Promise.resolve(null);
    }
    const first = BigInt(this.#committed + 1);
    return Promise.resolve({
      origin: this.origin,
      first,
      last: first + BigInt(batches.length - 1),
      batches,
    });
  }

  readExactly({ origin, first, last }: RangeOfOrigin): Promise<EventRange> {
    return Promise.resolve({
      origin,
      first,
      last,
      batches: this.batches.slice(Number(first) - 1, Number(last)),
    });
  }

  recordIntent({ origin, first, last }: RangeOfOrigin): Promise<void> {
    this.#intent = { origin, first, last };
    return Promise.resolve();
  }

  recordedJudgements(range: RangeOfOrigin): Promise<Uint8Array | null> {
    return Promise.resolve(this.#judged?.range === rangeName(range) ? this.#judged.judgements : null);
  }

  recordJudgements(range: RangeOfOrigin, judgements: Uint8Array): Promise<void> {
    this.#judged = { range: rangeName(range), judgements };
    return Promise.resolve();
  }

  commit({ last }: OffsetRange): Promise<void> {
    this.#committed = Math.max(this.#committed, Number(last));
    this.#intent = null;
    return Promise.resolve();
  }

  writeDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    this.letters.push(...letters);
    return Promise.resolve();
  }
}
