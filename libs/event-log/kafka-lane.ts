import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, Kafka } from "kafkajs";
import { EventLogError } from "./errors.ts";
import { KafkaLink, leaderOf } from "./kafka-link.ts";
import { isOfTheMessage, outcomeOf } from "./kafka-refusals.ts";

/** What goes to a partition in one piece. */
export interface KafkaParcel {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
}

export interface KafkaMessage {
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Kafka wants one although it has no meaning outside of transactions. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * One idempotent producer that sends one parcel after the other. Kafka knows a parcel by producer id, partition and
 * sequence number, so a repeated send of the same message is stored once. It also takes another message under a number
 * it has seen for a repetition, and acknowledges it without storing it. Therefore:
 *
 *     send ─▶ acknowledged ─▶ the number moves on
 *        └──▶ no answer ─▶ the same message under the same number, until the deadline ─▶ the producer id is given up
 *
 * and no second message ever goes under a number that may have been used.
 */
export class KafkaLane {
  readonly #link: KafkaLink;
  #session: Session = newSession();

  constructor(kafka: Kafka, topics: readonly string[]) {
    this.#link = new KafkaLink(kafka, topics);
  }

  /**
   * Resolves when the message is on all in-sync replicas. Rejects with `EventLogError`: `UNAVAILABLE` when it was not
   * stored, `REFUSED` when it never will be, `UNCLEAR` when it may have been, at `deadline` (of `performance.now()`) at the latest.
   */
  async send(parcel: KafkaParcel, deadline: number): Promise<void> {
    const session = this.#session;
    let mayBeStored = false;
    let failure: unknown;
    for (let pause = FIRST_PAUSE_MS; performance.now() < deadline; pause *= 2) {
      let isSent = false;
      const sending = this.#link.use((cluster) =>
        produce({ cluster, session, parcel, deadline }, () => {
          isSent = true;
        }),
      );
      try {
        await before(deadline, sending);
        return moveOn(session, parcel);
      } catch (error) {
        failure = error;
        const outcome = isSent ? outcomeOf(error) : "refused";
        if (outcome === "stored") return moveOn(session, parcel);
        if (outcome === "unclear") mayBeStored = true;
        if (outcome === "final") break;
      }
      await sleep(Math.min(pause, LONGEST_PAUSE_MS, Math.max(deadline - performance.now(), 0)));
    }
    this.#session = newSession();
    this.#link.renew();
    throw failed(mayBeStored, failure);
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

/** What Kafka knows of a producer; a send that is late finds its own one, never that of the sends after it. */
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
  readonly parcel: KafkaParcel;
  readonly deadline: number;
}

async function produce({ cluster, session, parcel, deadline }: Sending, onSend: () => void): Promise<void> {
  const { topic, partition } = parcel;
  const broker = await leaderOf(cluster, topic, partition);
  session.producer ??= await broker.initProducerId({ transactionTimeout: TRANSACTION_TIMEOUT_MS });
  const timeout = Math.ceil(deadline - performance.now());
  if (timeout <= 0) throw new Error("It is too late to send.");
  const firstSequence = session.sequences.get(keyOf(parcel)) ?? 0;
  const messages = parcel.messages.map(({ value, headers }) => ({ value, headers: { ...headers } }));
  const partitions = [{ partition, firstSequence, messages }];
  onSend();
  await broker.produce({ ...session.producer, acks: -1, timeout, topicData: [{ topic, partitions }] });
}

function moveOn({ sequences }: Session, parcel: KafkaParcel): void {
  const key = keyOf(parcel);
  sequences.set(key, ((sequences.get(key) ?? 0) + parcel.messages.length) % 2 ** 31);
}

function keyOf({ topic, partition }: KafkaParcel): string {
  return `${topic}:${partition}`;
}

function failed(mayBeStored: boolean, cause: unknown): EventLogError {
  if (!mayBeStored && isOfTheMessage(cause))
    return new EventLogError("REFUSED", "Kafka does not take such events.", { cause });
  return mayBeStored
    ? new EventLogError("UNCLEAR", "Kafka has not said in time whether it has the events.", { cause })
    : new EventLogError("UNAVAILABLE", "Kafka did not take the events.", { cause });
}

/** Rejects at the deadline, whatever `work` does by then. */
async function before<T>(deadline: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error("Kafka has not answered in time.")),
    Math.max(deadline - performance.now(), 0),
  );
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
