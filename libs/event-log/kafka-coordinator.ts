import type { Cluster, Kafka } from "kafkajs";
import type Broker from "kafkajs/src/broker/index.js";
import { asBroker, KafkaLink } from "./kafka-link.ts";
import { decodeMarks, encodeMarks, type Marks } from "./kafka-marks.ts";
import { answerOf } from "./kafka-refusals.ts";

/** A member of the group in one generation. Kafka refuses what is done in its name once there is a later one. */
export interface Membership {
  readonly memberId: string;
  readonly generation: number;
}

/** The broker that keeps the group's members and marks. */
export class KafkaCoordinator {
  readonly groupId: string;
  readonly #topic: string;
  readonly #link: KafkaLink;
  #known: { readonly cluster: Cluster; readonly broker: Broker } | null = null;

  constructor(kafka: Kafka, groupId: string, topic: string) {
    this.groupId = groupId;
    this.#topic = topic;
    this.#link = new KafkaLink(kafka, [topic]);
  }

  /** Rejects with what the coordinator answers, or with why it could not be asked. */
  use<T>(work: (coordinator: Broker, cluster: Cluster) => Promise<T>): Promise<T> {
    return this.#link.use(async (cluster) => work(await this.#find(cluster), cluster));
  }

  /** The marks of some partitions; of those that have none yet there is nothing in the map. */
  readMarks(partitions: readonly number[], topicId: string): Promise<Map<number, Marks>> {
    return this.use(async (coordinator) => {
      const topics = [{ topic: this.#topic, partitions: partitions.map((partition) => ({ partition })) }];
      const { responses } = await coordinator.offsetFetch({ groupId: this.groupId, topics });
      const found = new Map<number, Marks>();
      for (const { partition, offset, metadata } of responses.flatMap((response) => response.partitions)) {
        const marks = decodeMarks(offset, metadata, topicId);
        if (marks !== null) found.set(partition, marks);
      }
      return found;
    });
  }

  /**
   * Writes a partition's marks in the name of exactly this membership, never of a later one of the same process. The
   * answer says whether they are `written`, were `unsent`, or were sent and are `unclear`; a refusal rejects.
   */
  async writeMarks(
    { memberId, generation }: Membership,
    partition: number,
    marks: Marks,
  ): Promise<"written" | "unsent" | "unclear"> {
    let isSent = false;
    const partitions = [{ partition, offset: String(marks.next), metadata: encodeMarks(marks) }];
    try {
      await this.use((coordinator) => {
        isSent = true;
        return coordinator.offsetCommit({
          groupId: this.groupId,
          groupGenerationId: generation,
          memberId,
          topics: [{ topic: this.#topic, partitions }],
        });
      });
      return "written";
    } catch (error) {
      if (!isSent || NOT_HERE.has(answerOf(error) ?? "")) return "unsent";
      if (answerOf(error) === null) return "unclear";
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #find(cluster: Cluster): Promise<Broker> {
    if (this.#known?.cluster !== cluster) {
      const broker = asBroker(await cluster.findGroupCoordinator({ groupId: this.groupId }));
      this.#known = { cluster, broker };
    }
    return this.#known.broker;
  }
}

/** Answers of a broker that is not the coordinator, or not yet: it has done nothing. */
const NOT_HERE = new Set([
  "NOT_COORDINATOR_FOR_GROUP",
  "GROUP_COORDINATOR_NOT_AVAILABLE",
  "GROUP_LOAD_IN_PROGRESS",
]);
