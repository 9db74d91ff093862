import { EventLogError } from "./errors.ts";
import type { KafkaBuffer } from "./kafka-buffer.ts";
import type { KafkaCoordinator } from "./kafka-coordinator.ts";
import type { KafkaLink } from "./kafka-link.ts";
import { intentOf, type Marks } from "./kafka-marks.ts";
import type { Assignment } from "./kafka-member.ts";
import { asRepeatable, type StoredBatch } from "./kafka-message.ts";
import { readAgain } from "./kafka-read-again.ts";
import { isOutOfGroup } from "./kafka-refusals.ts";
import type { DeadLetter, EventRange, OffsetRange, Partition, RangeOfOrigin, ReadLimits } from "./port.ts";

export interface KafkaPartitionOptions {
  readonly topic: string;
  readonly number: number;
  readonly assignment: Assignment;
  /** As the group had them when the partition was assigned. */
  readonly marks: Marks;
  readonly coordinator: KafkaCoordinator;
  readonly link: KafkaLink;
  readonly buffer: KafkaBuffer;
  readonly putAside: (letters: readonly DeadLetter[]) => Promise<void>;
}

/**
 * A partition as its owner of one generation sees it. Its marks are written in the name of that generation alone. When
 * it is not known whether the coordinator has got them, the generation is given up: a mark that arrives late would
 * otherwise overwrite the ones after it.
 */
export class KafkaPartition implements Partition {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly #options: KafkaPartitionOptions;
  #marks: Marks;

  constructor(options: KafkaPartitionOptions) {
    const { topic, number, marks, assignment } = options;
    this.id = `${topic}-${marks.topicId}:${number}`;
    this.signal = assignment.signal;
    this.#options = options;
    this.#marks = marks;
  }

  async recordedIntent(): Promise<RangeOfOrigin | null> {
    return intentOf(this.#marks, this.id);
  }

  async readNext(limits: ReadLimits): Promise<EventRange | null> {
    const read = await this.#options.buffer.read(limits, this.signal);
    return asRange(read, `${this.id}@${read.at(-1)?.leaderEpoch ?? 0}`);
  }

  async readExactly(range: RangeOfOrigin): Promise<EventRange> {
    const { topic, number, link } = this.#options;
    const read = await readAgain({ link, topic, partition: number, range, signal: this.signal });
    const { repeatsBelow } = this.#marks;
    const marked = read.map((each) => (each.offset < repeatsBelow ? asRepeatable(each) : each));
    const found = asRange(marked, range.origin);
    if (found === null) throw new EventLogError("RANGE_GONE", "A range holds at least one batch.");
    return found;
  }

  recordIntent({ origin, first, last }: RangeOfOrigin): Promise<void> {
    return this.#write({ ...this.#marks, next: first, last, origin });
  }

  async commit({ last }: OffsetRange): Promise<void> {
    await this.#write({ ...this.#marks, next: last + 1n, last: null, origin: null });
    this.#options.buffer.drop(last);
  }

  putAside(letters: readonly DeadLetter[]): Promise<void> {
    return this.#options.putAside(letters);
  }

  async #write(marks: Marks): Promise<void> {
    const { coordinator, assignment, number } = this.#options;
    if (this.signal.aborted) throw this.#lost();
    const outcome = await coordinator.writeMarks(assignment, number, marks).catch((error: unknown) => {
      if (!isOutOfGroup(error)) throw unavailable(error);
      return "refused" as const;
    });
    if (outcome === "unsent") throw unavailable(undefined);
    if (outcome !== "written") {
      assignment.renew();
      throw this.#lost();
    }
    this.#marks = marks;
  }

  #lost(): EventLogError {
    return new EventLogError("PARTITION_LOST", `${this.id} is no longer owned by this worker.`);
  }
}

function unavailable(cause: unknown): EventLogError {
  return new EventLogError("UNAVAILABLE", "The group's coordinator did not take the mark.", { cause });
}

/** A range that was read before keeps the origin that it had then. */
function asRange(batches: readonly StoredBatch[], origin: string): EventRange | null {
  const first = batches[0]?.offset;
  const last = batches.at(-1)?.offset;
  if (first === undefined || last === undefined) return null;
  return { origin, first, last, batches: batches.map(({ batch }) => batch) };
}
