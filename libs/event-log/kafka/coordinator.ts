import type { Cluster, Kafka } from "kafkajs";
import type Broker from "kafkajs/src/broker/index.js";
import type { Offset, RangeOfOrigin } from "../port.ts";
import { errorTypeOf } from "./broker-errors.ts";
import { asBroker, ClusterConnection } from "./connection.ts";

/** A partition's committed offset, with the metadata that Kafka keeps beside it: everything below but `next`. */
export interface CommittedOffset {
  /** The committed offset: everything below it is in the stats store, and reading continues here. */
  readonly next: Offset;
  /** The last offset of the intent, which begins at `next`; null when there is none. */
  readonly last: Offset | null;
  /** The origin of the intent; null when there is none, or when an earlier version recorded it. */
  readonly origin: string | null;
  /** A commit on an earlier topic of the same name is void. */
  readonly topicId: string;
  /** Batches below may be in the stats store although they are not committed, because a commit was lost. */
  readonly repeatsBelow: Offset;
}

/** A member of the group in one generation. Kafka fences its commits once there is a later generation. */
export interface Membership {
  readonly memberId: string;
  readonly generation: number;
}

/** The broker that keeps the group's members and committed offsets. */
export class GroupCoordinator {
  readonly groupId: string;
  readonly #topic: string;
  readonly #connection: ClusterConnection;
  #known: { readonly cluster: Cluster; readonly broker: Broker } | null = null;

  constructor(kafka: Kafka, groupId: string, topic: string) {
    this.groupId = groupId;
    this.#topic = topic;
    this.#connection = new ClusterConnection(kafka, [topic]);
  }

  /** Rejects with the coordinator's error, or with the reason why it could not be reached. */
  use<T>(work: (coordinator: Broker, cluster: Cluster) => Promise<T>): Promise<T> {
    return this.#connection.use(async (cluster) => work(await this.#find(cluster), cluster));
  }

  /** The committed offsets by partition, without the partitions that have none. */
  fetchOffsets(partitions: readonly number[], topicId: string): Promise<Map<number, CommittedOffset>> {
    return this.use(async (coordinator) => {
      const topics = [{ topic: this.#topic, partitions: partitions.map((partition) => ({ partition })) }];
      const { responses } = await coordinator.offsetFetch({ groupId: this.groupId, topics });
      const found = new Map<number, CommittedOffset>();
      for (const { partition, offset, metadata } of responses.flatMap((response) => response.partitions)) {
        const committed = decodeOffset(offset, metadata, topicId);
        if (committed !== null) found.set(partition, committed);
      }
      return found;
    });
  }

  /**
   * Commits in the name of exactly this membership, never of a later one of the same process. Resolves with `written`,
   * `unsent`, or `unclear` when it was sent without a response. Rejects when Kafka refuses it.
   */
  async commitOffset(
    { memberId, generation }: Membership,
    partition: number,
    committed: CommittedOffset,
  ): Promise<"written" | "unsent" | "unclear"> {
    let isSent = false;
    const partitions = [{ partition, offset: String(committed.next), metadata: encodeMetadata(committed) }];
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
      if (!isSent || NOT_COORDINATOR.has(errorTypeOf(error) ?? "")) return "unsent";
      if (errorTypeOf(error) === null) return "unclear";
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #find(cluster: Cluster): Promise<Broker> {
    if (this.#known?.cluster !== cluster) {
      const broker = asBroker(await cluster.findGroupCoordinator({ groupId: this.groupId }));
      this.#known = { cluster, broker };
    }
    return this.#known.broker;
  }
}

/** Errors of a broker that is not the coordinator, or not yet: it did nothing. */
const NOT_COORDINATOR = new Set([
  "NOT_COORDINATOR_FOR_GROUP",
  "GROUP_COORDINATOR_NOT_AVAILABLE",
  "GROUP_LOAD_IN_PROGRESS",
]);

export function encodeMetadata({ last, origin, topicId, repeatsBelow }: CommittedOffset): string {
  return JSON.stringify({
    topic: topicId,
    repeats: String(repeatsBelow),
    ...(last !== null && { last: String(last) }),
    ...(last !== null && origin !== null && { origin }),
  });
}

/** Null when nothing was committed, or not by this program on this topic. */
export function decodeOffset(
  offset: string,
  metadata: string | null,
  topicId: string,
): CommittedOffset | null {
  const next = BigInt(offset);
  if (next < 0n) return null;
  const { topic, repeats, last, origin } = fieldsOf(metadata ?? "");
  if (topic !== topicId) return null;
  return {
    next,
    last: asOffset(last),
    origin: typeof origin === "string" ? origin : null,
    topicId,
    repeatsBelow: asOffset(repeats) ?? 0n,
  };
}

/** Intents of an earlier version have no origin; theirs is `earlierOrigin`. */
export function intentOf(
  { next, last, origin }: CommittedOffset,
  earlierOrigin: string,
): RangeOfOrigin | null {
  return last === null ? null : { origin: origin ?? earlierOrigin, first: next, last };
}

function fieldsOf(metadata: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(metadata);
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}

function asOffset(given: unknown): Offset | null {
  return typeof given === "string" && /^\d+$/.test(given) ? BigInt(given) : null;
}
