import { AssignerProtocol, PartitionAssigners } from "kafkajs";
import type Broker from "kafkajs/src/broker/index.js";
import { pause, retry, within } from "#libs/async/index.ts";
import { errorTypeOf, isFenced } from "./broker-errors.ts";
import type { GroupCoordinator, Membership } from "./coordinator.ts";

/** The partitions of this process in one generation of the group. */
export interface Assignment extends Membership {
  readonly partitions: readonly number[];
  /** Aborted when the generation ends for this process. */
  readonly signal: AbortSignal;
  /** Ends the generation: leaves the group and joins it as another member. */
  readonly rejoin: () => void;
}

export interface GroupMemberOptions {
  readonly coordinator: GroupCoordinator;
  readonly topic: string;
  /** A member loses its partitions after this time without a heartbeat, in milliseconds. */
  readonly sessionTimeoutMs: number;
  /** A member that does not rejoin within this time of a rebalance has left the group, in milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** Works on the assignment until its signal aborts. The member waits a short time for it before it rejoins. */
  readonly onAssigned: (assignment: Assignment) => Promise<void>;
  readonly onWarning: (message: string) => void;
}

const PAUSES = { firstMs: 50, longestMs: 2000, jitter: true };
/** How long workers have to stop after their partition is lost. Kafka fences the commits of those that do not. */
const GRACE_MS = 2000;
/** How long leaving the group may take. Without it the others wait for the session timeout. */
const LEAVE_MS = 2000;

/**
 * A member of the consumer group, until it is closed:
 *
 *     join ─▶ work, with a heartbeat on its own timer ─▶ (rebalance, or the coordinator has dropped this member) ─▶ join
 *
 * kafkajs's own consumer sends heartbeats only between fetches, commits in the name of its current generation, reports
 * commits as successful while it is stopped, and overwrites the committed offset of a partition that is out of range.
 */
export class GroupMember {
  readonly #options: GroupMemberOptions;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #memberId = "";
  /** A member id that this process no longer uses, and that the coordinator may still count. */
  #former = "";

  constructor(options: GroupMemberOptions) {
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
    const onFailure = (error: unknown) => {
      if (errorTypeOf(error) === "UNKNOWN_MEMBER_ID") this.#memberId = "";
      if (!isFenced(error)) this.#options.onWarning(`The group could not be joined: ${String(error)}`);
    };
    while (!signal.aborted)
      await retry(() => this.#takePart(), { ...PAUSES, signal, onFailure }).catch(() => undefined);
    await this.#leave();
  }

  /** One generation, from joining to its end. */
  async #takePart(): Promise<void> {
    const { membership, partitions, assigned } = await this.#join();
    const ending = new AbortController();
    const end = () => ending.abort();
    let isRejoining = false;
    this.#closing.signal.addEventListener("abort", end);
    if (this.#closing.signal.aborted) end();
    const rejoin = () => {
      isRejoining = true;
      end();
    };
    const working = this.#options.onAssigned({ ...membership, partitions, signal: ending.signal, rejoin });
    try {
      await this.#beat(membership, assigned, ending.signal);
    } finally {
      end();
      this.#closing.signal.removeEventListener("abort", end);
    }
    if (this.#closing.signal.aborted) await working;
    else await within(GRACE_MS, "the workers", working).catch(() => undefined);
    if (isRejoining) [this.#former, this.#memberId] = [membership.memberId, ""];
  }

  async #join() {
    const { coordinator, topic, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    const { groupId } = coordinator;
    return coordinator.use(async (broker, cluster) => {
      // Otherwise the others would wait for its session timeout.
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
        assigned: isLeader ? cluster.findTopicPartitionMetadata(topic).length : null,
      };
    });
  }

  /**
   * Resolves when the generation ends. Only the coordinator ends it: failed heartbeats are sent again. The leader also ends it
   * when there are more partitions than it has `assigned`, and its rejoining assigns the new ones.
   */
  async #beat(
    { memberId, generation }: Membership,
    assigned: number | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { coordinator, topic, sessionTimeoutMs, onWarning } = this.#options;
    const request = { groupId: coordinator.groupId, groupGenerationId: generation, memberId };
    while (!signal.aborted) {
      await pause(sessionTimeoutMs / 10, signal);
      if (signal.aborted) return;
      try {
        const now = await coordinator.use(async (broker, cluster) => {
          await broker.heartbeat(request);
          return cluster.findTopicPartitionMetadata(topic).length;
        });
        if (assigned !== null && now > assigned) return;
      } catch (error) {
        if (errorTypeOf(error) === "UNKNOWN_MEMBER_ID") this.#memberId = "";
        if (isFenced(error)) return;
        onWarning(`The group coordinator does not respond: ${String(error)}`);
      }
    }
  }

  async #leave(): Promise<void> {
    const { coordinator } = this.#options;
    const leaving = [this.#memberId, this.#former]
      .filter((memberId) => memberId !== "")
      .map((memberId) => coordinator.use((broker) => leave(broker, coordinator.groupId, memberId)));
    await within(LEAVE_MS, "leaving the group", Promise.allSettled(leaving)).catch(() => undefined);
  }
}

/** A member that the coordinator does not know has left already. */
async function leave(broker: Broker, groupId: string, memberId: string): Promise<void> {
  await broker.leaveGroup({ groupId, memberId }).catch((error: unknown) => {
    if (errorTypeOf(error) !== "UNKNOWN_MEMBER_ID") throw error;
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
