import { EventLogError } from "../errors.ts";
import type { DeadLetter, EventRange, OffsetRange, Partition, RangeOfOrigin, ReadLimits } from "../port.ts";
import { isFenced } from "./broker-errors.ts";
import type { ClusterConnection } from "./connection.ts";
import type { GroupCoordinator } from "./coordinator.ts";
import { type CommittedOffset, intentOf } from "./coordinator.ts";
import { readAgain } from "./fetch.ts";
import type { FetchBuffer } from "./fetch-buffer.ts";
import type { Assignment } from "./group-member.ts";
import { asRepeatable, type StoredBatch } from "./message.ts";

export interface KafkaPartitionOptions {
  readonly topic: string;
  readonly number: number;
  readonly assignment: Assignment;
  /** As of the assignment. */
  readonly committed: CommittedOffset;
  readonly coordinator: GroupCoordinator;
  readonly connection: ClusterConnection;
  readonly buffer: FetchBuffer;
  readonly writeDeadLetters: (letters: readonly DeadLetter[]) => Promise<void>;
}

/**
 * A partition for its owner in one generation. It commits in the name of that generation alone. When a commit ends without
 * a response, this process leaves the generation: otherwise the commit could arrive late and overwrite later ones.
 */
export class KafkaPartition implements Partition {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly #options: KafkaPartitionOptions;
  #committed: CommittedOffset;

  constructor(options: KafkaPartitionOptions) {
    const { topic, number, committed, assignment } = options;
    this.id = `${topic}-${committed.topicId}:${number}`;
    this.signal = assignment.signal;
    this.#options = options;
    this.#committed = committed;
  }

  async recordedIntent(): Promise<RangeOfOrigin | null> {
    return intentOf(this.#committed, this.id);
  }

  async readNext(limits: ReadLimits): Promise<EventRange | null> {
    const read = await this.#options.buffer.read(limits, this.signal);
    return asRange(read, `${this.id}@${read.at(-1)?.leaderEpoch ?? 0}`);
  }

  async readExactly(range: RangeOfOrigin): Promise<EventRange> {
    const { topic, number, connection } = this.#options;
    const read = await readAgain({ connection, topic, partition: number, range, signal: this.signal });
    const { repeatsBelow } = this.#committed;
    const marked = read.map((each) => (each.offset < repeatsBelow ? asRepeatable(each) : each));
    const found = asRange(marked, range.origin);
    if (found === null) throw new EventLogError("RANGE_GONE", "A range holds at least one batch.");
    return found;
  }

  recordIntent({ origin, first, last }: RangeOfOrigin): Promise<void> {
    return this.#write({ ...this.#committed, next: first, last, origin });
  }

  /** The judge that the readers of Kafka share remembers them. */
  async recordedJudgements(): Promise<null> {
    return null;
  }

  async recordJudgements(): Promise<void> {
    // As for `recordedJudgements`.
  }

  async commit({ last }: OffsetRange): Promise<void> {
    await this.#write({ ...this.#committed, next: last + 1n, last: null, origin: null });
    this.#options.buffer.drop(last);
  }

  writeDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    return this.#options.writeDeadLetters(letters);
  }

  async #write(committed: CommittedOffset): Promise<void> {
    const { coordinator, assignment, number } = this.#options;
    if (this.signal.aborted) throw this.#lost();
    const outcome = await coordinator.commitOffset(assignment, number, committed).catch((error: unknown) => {
      if (!isFenced(error)) throw unavailable(error);
      return "refused" as const;
    });
    if (outcome === "unsent") throw unavailable(undefined);
    if (outcome !== "written") {
      assignment.rejoin();
      throw this.#lost();
    }
    this.#committed = committed;
  }

  #lost(): EventLogError {
    return new EventLogError("PARTITION_LOST", `${this.id} is no longer owned by this worker.`);
  }
}

function unavailable(cause: unknown): EventLogError {
  return new EventLogError("UNAVAILABLE", "The group coordinator did not accept the commit.", { cause });
}

/** A range that is read again keeps its first origin. */
function asRange(batches: readonly StoredBatch[], origin: string): EventRange | null {
  const first = batches[0]?.offset;
  const last = batches.at(-1)?.offset;
  if (first === undefined || last === undefined) return null;
  return { origin, first, last, batches: batches.map(({ batch, appendedAt }) => ({ ...batch, appendedAt })) };
}
