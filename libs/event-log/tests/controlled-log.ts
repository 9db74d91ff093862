import { EventLogError } from "../errors.ts";
import type { Backlog, BegunAppend, EventBatch, EventConsumer, RepeatableLog } from "../port.ts";

/**
 * The result of an append: it is taken; the log is away; it is lost without a response; it is taken but the response is lost
 * (`landed`); it waits for `release`.
 */
export type Fate = "taken" | "away" | "lost" | "landed" | "held";

interface HeldAppend {
  readonly batch: EventBatch;
  readonly begunAt: number;
  readonly isRepeat: boolean;
  readonly end: PromiseWithResolvers<void>;
}

/** A log in memory whose results tests control. */
export class ControlledLog implements RepeatableLog {
  /** The batches in the order of the log. */
  readonly taken: EventBatch[] = [];
  /** The retry tokens of all appends in their order; null for a first append. */
  readonly asked: (string | null)[] = [];
  fate: Fate = "taken";
  /** An append that takes longer than this is read back with `mayRepeat`, in milliseconds. */
  lateMs = 1000;
  /** Selects batches to refuse. */
  refuses: (batch: EventBatch) => boolean = () => false;
  #held: HeldAppend[] = [];
  #tokens = 0;

  begin(batch: EventBatch): BegunAppend {
    const retryToken = this.newRetryToken(batch);
    return { retryToken, done: this.#meet(batch, retryToken, false) };
  }

  append(batch: EventBatch, retryToken?: string): Promise<void> {
    return this.#meet(batch, retryToken ?? this.newRetryToken(batch), retryToken !== undefined);
  }

  newRetryToken({ name }: Pick<EventBatch, "name">): string {
    if (name !== undefined) return `of ${name}`;
    return `token ${++this.#tokens}`;
  }

  /** Ends all held appends, or only the repetitions. */
  release(fate: "taken" | "lost" | "landed" | "away", which: "all" | "repetitions" = "all"): void {
    const ending = this.#held.filter(({ isRepeat }) => isRepeat || which === "all");
    this.#held = this.#held.filter((held) => !ending.includes(held));
    for (const { batch, begunAt, isRepeat, end } of ending) {
      const isLate = performance.now() - begunAt > this.lateMs;
      if (fate === "taken" || fate === "landed") this.taken.push({ ...batch, mayRepeat: isRepeat || isLate });
      if (fate === "taken") end.resolve();
      else if (fate === "away") end.reject(new EventLogError("UNAVAILABLE", "nobody listens"));
      else end.reject(new EventLogError("UNCLEAR", "no answer"));
    }
  }

  consume(): Promise<EventConsumer> {
    return Promise.reject(new Error("Nothing is consumed from this log."));
  }

  probe(): Promise<void> {
    if (this.fate === "away") return Promise.reject(new EventLogError("UNAVAILABLE", "nobody listens"));
    return this.fate === "held" ? new Promise(() => undefined) : Promise.resolve();
  }

  lag(): Promise<number> {
    return Promise.resolve(this.taken.reduce((sum, { count }) => sum + count, 0));
  }

  async backlog(): Promise<Backlog> {
    return { partitions: [{ partition: 0, events: await this.lag(), oldestAt: null }], retentionMs: null };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #meet(batch: EventBatch, retryToken: string, isRepeat: boolean): Promise<void> {
    this.asked.push(isRepeat ? retryToken : null);
    if (this.refuses(batch)) throw new EventLogError("REFUSED", "the batch is too large");
    if (this.fate === "away") throw new EventLogError("UNAVAILABLE", "nobody listens");
    if (this.fate === "held") {
      const end = Promise.withResolvers<void>();
      this.#held.push({ batch, begunAt: performance.now(), isRepeat, end });
      return end.promise;
    }
    if (this.fate !== "lost") this.taken.push({ ...batch, mayRepeat: isRepeat });
    if (this.fate !== "taken") throw new EventLogError("UNCLEAR", "no answer", { retryToken });
  }
}
