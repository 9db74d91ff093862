import type { Cluster, Kafka } from "kafkajs";
import { Backoff, pause, within } from "#libs/async/index.ts";
import { EventLogError } from "../errors.ts";
import { isMessageError, outcomeOf } from "./broker-errors.ts";
import { ClusterConnection, leaderOf } from "./connection.ts";

/** Messages for one partition, sent and stored together. */
export interface RecordSet {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaRecord[];
}

export interface KafkaRecord {
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const PAUSES = { firstMs: 20, longestMs: 500 };
/** Required by Kafka, and without meaning outside of transactions. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * One idempotent producer, which sends one record set at a time. Kafka identifies a record set by producer id, partition
 * and sequence number, and stores a repeated send once. But it acknowledges *any* record set with a number that it has
 * seen, without storing it. So a number that may have been used is never reused for another record set:
 *
 *     send ─▶ acknowledged ─▶ the sequence number advances
 *        └──▶ no response ─▶ the same record set with the same number, until the deadline ─▶ a new producer id
 */
export class ProducerSlot {
  readonly #connection: ClusterConnection;
  #session: Session = newSession();

  constructor(kafka: Kafka, topics: readonly string[]) {
    this.#connection = new ClusterConnection(kafka, topics);
  }

  /**
   * Durable at `acks: -1`: all in-sync replicas have the record set. Rejects by `deadline` (of `performance.now()`) with
   * `EventLogError` `UNAVAILABLE` (not stored), `REFUSED` (never will be) or `UNCLEAR` (may be stored).
   */
  async send(recordSet: RecordSet, deadline: number): Promise<void> {
    const session = this.#session;
    let mayBeStored = false;
    let failure: unknown;
    const backoff = new Backoff(PAUSES);
    const left = () => Math.max(deadline - performance.now(), 0);
    while (performance.now() < deadline) {
      let isSent = false;
      const sending = this.#connection.use((cluster) =>
        produce({ cluster, session, recordSet, deadline }, () => {
          isSent = true;
        }),
      );
      try {
        await within(left(), "Kafka's response", sending);
        return advanceSequence(session, recordSet);
      } catch (error) {
        failure = error;
        const outcome = isSent ? outcomeOf(error) : "refused";
        if (outcome === "stored") return advanceSequence(session, recordSet);
        if (outcome === "unclear") mayBeStored = true;
        if (outcome === "final") break;
      }
      await pause(Math.min(backoff.next(), left()));
    }
    this.#session = newSession();
    this.#connection.drop();
    throw failed(mayBeStored, failure);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** A producer's id and sequence numbers. A late send keeps its own session and never uses that of later sends. */
interface Session {
  producer: { readonly producerId: string; readonly producerEpoch: number } | null;
  readonly sequences: Map<string, number>;
}

function newSession(): Session {
  return { producer: null, sequences: new Map() };
}

interface Sending {
  readonly cluster: Cluster;
  readonly session: Session;
  readonly recordSet: RecordSet;
  readonly deadline: number;
}

async function produce(
  { cluster, session, recordSet, deadline }: Sending,
  onSend: () => void,
): Promise<void> {
  const { topic, partition } = recordSet;
  const broker = await leaderOf(cluster, topic, partition);
  session.producer ??= await broker.initProducerId({ transactionTimeout: TRANSACTION_TIMEOUT_MS });
  const timeout = Math.ceil(deadline - performance.now());
  if (timeout <= 0) throw new Error("There is no time left to send.");
  const firstSequence = session.sequences.get(keyOf(recordSet)) ?? 0;
  const messages = recordSet.messages.map(({ value, headers }) => ({ value, headers: { ...headers } }));
  const partitions = [{ partition, firstSequence, messages }];
  onSend();
  await broker.produce({ ...session.producer, acks: -1, timeout, topicData: [{ topic, partitions }] });
}

function advanceSequence({ sequences }: Session, recordSet: RecordSet): void {
  const key = keyOf(recordSet);
  sequences.set(key, ((sequences.get(key) ?? 0) + recordSet.messages.length) % 2 ** 31);
}

function keyOf({ topic, partition }: RecordSet): string {
  return `${topic}:${partition}`;
}

function failed(mayBeStored: boolean, cause: unknown): EventLogError {
  if (!mayBeStored && isMessageError(cause))
    return new EventLogError("REFUSED", "Kafka refuses these events.", { cause });
  return mayBeStored
    ? new EventLogError("UNCLEAR", "Kafka did not confirm the events in time.", { cause })
    : new EventLogError("UNAVAILABLE", "Kafka did not accept the events.", { cause });
}
