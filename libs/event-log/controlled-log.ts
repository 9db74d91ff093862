import { EventLogError } from "./errors.ts";
import type { BegunAppend, EventBatch, EventConsumer, RepeatableLog } from "./port.ts";

/**
 * What becomes of an append: it is taken; the log is away; its answer is lost with it, or after it was taken; it waits
 * until `release` decides.
 */
export type Fate = "taken" | "away" | "lost" | "landed" | "held";

interface HeldAppend {
  readonly batch: EventBatch;
  readonly begunAt: number;
  readonly isRepeat: boolean;
  readonly end: PromiseWithResolvers<void>;
}

/** A log in memory, for tests of what stands in front of one, that does as it is told. */
export class ControlledLog implements RepeatableLog {
  /** What a reader finds, in the order of the log. */
  readonly taken: EventBatch[] = [];
  /** The attempts of all appends, in the order in which they were asked for; null for a first one. */
  readonly asked: (string | null)[] = [];
  fate: Fate = "taken";
  /** An append that is taken so long after it was begun is read back with `mayRepeat`, in milliseconds. */
  lateMs = 1000;
  /** Rejects what is asked, for good. */
  refuses: (batch: EventBatch) => boolean = () => false;
  #held: HeldAppend[] = [];
  #attempts = 0;

  begin(batch: EventBatch): BegunAppend {
    const attempt = this.newAttempt();
    return { attempt, done: this.#meet(batch, attempt, false) };
  }

  append(batch: EventBatch, attempt?: string): Promise<void> {
    return this.#meet(batch, attempt ?? this.newAttempt(), attempt !== undefined);
  }

  newAttempt(): string {
    return `attempt ${++this.#attempts}`;
  }

  /** Ends every append that is held, or the repetitions alone. */
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

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #meet(batch: EventBatch, attempt: string, isRepeat: boolean): Promise<void> {
    this.asked.push(isRepeat ? attempt : null);
    if (this.refuses(batch)) throw new EventLogError("REFUSED", "the batch is too large");
    if (this.fate === "away") throw new EventLogError("UNAVAILABLE", "nobody listens");
    if (this.fate === "held") {
      const end = Promise.withResolvers<void>();
      this.#held.push({ batch, begunAt: performance.now(), isRepeat, end });
      return end.promise;
    }
    if (this.fate !== "lost") this.taken.push({ ...batch, mayRepeat: isRepeat });
    if (this.fate !== "taken") throw new EventLogError("UNCLEAR", "no answer", { attempt });
  }
}
