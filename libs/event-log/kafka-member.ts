import { setTimeout as sleep } from "node:timers/promises";
import { AssignerProtocol, PartitionAssigners } from "kafkajs";
import type Broker from "kafkajs/src/broker/index.js";
import type { KafkaCoordinator, Membership } from "./kafka-coordinator.ts";
import { answerOf, isOutOfGroup } from "./kafka-refusals.ts";

/** The partitions that fell to this process in one generation of the group. */
export interface Assignment extends Membership {
  readonly partitions: readonly number[];
  /** Aborted when the generation has ended for this process. */
  readonly signal: AbortSignal;
  /** Ends the generation: leaves the group and joins it again as another member. */
  readonly renew: () => void;
}

export interface KafkaMemberOptions {
  readonly coordinator: KafkaCoordinator;
  readonly topic: string;
  /** A member that is silent for so long has lost its partitions, in milliseconds. */
  readonly sessionTimeoutMs: number;
  /** Members that do not come back within so long when the group is shared out anew have left it, in milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** Works on what was assigned until the signal aborts; joining again waits for it, though not for long. */
  readonly onAssigned: (assignment: Assignment) => Promise<void>;
  readonly onWarning: (message: string) => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
/** Workers are given so long to see that their partition is gone; the generation guards against those that do not. */
const GRACE_MS = 2000;
/** An orderly farewell is tried for so long; without one the others wait for the session to time out. */
const LEAVE_MS = 2000;

/**
 * A member of the consumer group, kept up whatever the brokers do:
 *
 *     join ─▶ work, with a heartbeat on its own clock ─▶ (the group is shared out anew, or has forgotten us) ─▶ join
 *
 * kafkajs's own consumer beats only between fetches, commits in the name of whatever generation it is in by then, says
 * that a commit succeeded while it is stopped, and overwrites the marks of a partition whose offset is out of range.
 */
export class KafkaMember {
  readonly #options: KafkaMemberOptions;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #memberId = "";
  /** A member that this process has given up and that the coordinator may not know of yet. */
  #former = "";

  constructor(options: KafkaMemberOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Ends the work and leaves the group. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#takePart();
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (answerOf(error) === "UNKNOWN_MEMBER_ID") this.#memberId = "";
        if (!isOutOfGroup(error)) this.#options.onWarning(`The group could not be joined: ${String(error)}`);
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
    await this.#leave();
  }

  /** One generation, from joining to its end. */
  async #takePart(): Promise<void> {
    const { membership, partitions, shared } = await this.#join();
    const ending = new AbortController();
    const end = () => ending.abort();
    let isRenewed = false;
    this.#closing.signal.addEventListener("abort", end);
    if (this.#closing.signal.aborted) end();
    const renew = () => {
      isRenewed = true;
      end();
    };
    const working = this.#options.onAssigned({ ...membership, partitions, signal: ending.signal, renew });
    try {
      await this.#beat(membership, shared, ending.signal);
    } finally {
      end();
      this.#closing.signal.removeEventListener("abort", end);
    }
    if (this.#closing.signal.aborted) await working;
    else await Promise.race([working, sleep(GRACE_MS, undefined, { ref: false })]);
    if (isRenewed) [this.#former, this.#memberId] = [membership.memberId, ""];
  }

  async #join() {
    const { coordinator, topic, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    const { groupId } = coordinator;
    return coordinator.use(async (broker, cluster) => {
      // Else the others would wait for it until its session times out.
      if (this.#former !== "") await leave(broker, groupId, this.#former);
      this.#former = "";
      const assigner = PartitionAssigners.roundRobin({ cluster, groupId, logger: SILENT });
      const joined = await broker.joinGroup({
        groupId,
        sessionTimeout: sessionTimeoutMs,
        rebalanceTimeout: rebalanceTimeoutMs,
        memberId: this.#memberId,
        groupProtocols: [assigner.protocol({ topics: [topic] })],
      });
      this.#memberId = joined.memberId;
      const membership = { memberId: joined.memberId, generation: joined.generationId };
      const isLeader = joined.leaderId === joined.memberId;
      if (isLeader) await cluster.refreshMetadata();
      const synced = await broker.syncGroup({
        groupId,
        memberId: membership.memberId,
        generationId: membership.generation,
        groupAssignment: isLeader ? await assigner.assign({ members: joined.members, topics: [topic] }) : [],
      });
      const partitions =
        AssignerProtocol.MemberAssignment.decode(synced.memberAssignment)?.assignment[topic] ?? [];
      return {
        membership,
        partitions,
        shared: isLeader ? cluster.findTopicPartitionMetadata(topic).length : null,
      };
    });
  }

  /**
   * Resolves when the generation has ended. What cannot be asked is asked again: only the coordinator ends it. The leader
   * is told how many partitions it has shared out; its joining again makes the group share out those that have come.
   */
  async #beat(
    { memberId, generation }: Membership,
    shared: number | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { coordinator, topic, sessionTimeoutMs, onWarning } = this.#options;
    const request = { groupId: coordinator.groupId, groupGenerationId: generation, memberId };
    while (!signal.aborted) {
      await sleep(sessionTimeoutMs / 10, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const now = await coordinator.use(async (broker, cluster) => {
          await broker.heartbeat(request);
          return cluster.findTopicPartitionMetadata(topic).length;
        });
        if (shared !== null && now > shared) return;
      } catch (error) {
        if (answerOf(error) === "UNKNOWN_MEMBER_ID") this.#memberId = "";
        if (isOutOfGroup(error)) return;
        onWarning(`The group's coordinator does not answer: ${String(error)}`);
      }
    }
  }

  async #leave(): Promise<void> {
    const { coordinator } = this.#options;
    const leaving = [this.#memberId, this.#former]
      .filter((memberId) => memberId !== "")
      .map((memberId) => coordinator.use((broker) => leave(broker, coordinator.groupId, memberId)));
    await Promise.race([Promise.allSettled(leaving), sleep(LEAVE_MS, undefined, { ref: false })]);
  }
}

/** A member that is not known, or no longer, has left as well. */
async function leave(broker: Broker, groupId: string, memberId: string): Promise<void> {
  await broker.leaveGroup({ groupId, memberId }).catch((error: unknown) => {
    if (answerOf(error) !== "UNKNOWN_MEMBER_ID") throw error;
  });
}

const SILENT = {
  info: () => undefined,
  error: () => undefined,
  warn: () => undefined,
  debug: () => undefined,
  namespace: () => SILENT,
  setLogLevel: () => undefined,
};
