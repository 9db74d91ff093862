import { EventLogError } from "./errors.ts";
import type { KafkaBuffer } from "./kafka-buffer.ts";
import type { KafkaCoordinator } from "./kafka-coordinator.ts";
import type { KafkaLink } from "./kafka-link.ts";
import { intentOf, type Marks } from "./kafka-marks.ts";
import type { Assignment } from "./kafka-member.ts";
import { asRepeatable, type StoredBatch } from "./kafka-message.ts";
import { readAgain } from "./kafka-read-again.ts";
import { isOutOfGroup } from "./kafka-refusals.ts";
import type { DeadLetter, EventRange, OffsetRange, Partition, ReadLimits } from "./port.ts";

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

  async recordedIntent(): Promise<OffsetRange | null> {
    return intentOf(this.#marks);
  }

  async readNext(limits: ReadLimits): Promise<EventRange | null> {
    return asRange(await this.#options.buffer.read(limits, this.signal));
  }

  async readExactly(range: OffsetRange): Promise<EventRange> {
    const { topic, number, link } = this.#options;
    const read = await readAgain({ link, topic, partition: number, range, signal: this.signal });
    const { repeatsBelow } = this.#marks;
    const found = asRange(read.map((each) => (each.offset < repeatsBelow ? asRepeatable(each) : each)));
    if (found === null) throw new EventLogError("RANGE_GONE", "A range holds at least one batch.");
    return found;
  }

  recordIntent({ first, last }: OffsetRange): Promise<void> {
    return this.#write({ ...this.#marks, next: first, last });
  }

  async commit({ last }: OffsetRange): Promise<void> {
    await this.#write({ ...this.#marks, next: last + 1n, last: null });
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

function asRange(batches: readonly StoredBatch[]): EventRange | null {
  const first = batches[0]?.offset;
  const last = batches.at(-1)?.offset;
  if (first === undefined || last === undefined) return null;
  return { first, last, batches: batches.map(({ batch }) => batch) };
}
