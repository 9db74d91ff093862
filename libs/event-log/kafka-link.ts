import { type Cluster, Kafka, logLevel, PartitionAssigners, type SASLOptions } from "kafkajs";
import Broker from "kafkajs/src/broker/index.js";
import { quietTimers } from "./kafka-quiet-timers.ts";

/** Where the brokers are and how they are spoken to. */
export interface KafkaConnection {
  /** `host:port` of some brokers; they name the others. */
  readonly brokers: readonly string[];
  /** True for TLS with the authorities that Node knows, else what replaces them, in PEM. */
  readonly ssl?: boolean | { readonly ca?: string[]; readonly cert?: string; readonly key?: string };
  readonly sasl?: SASLOptions;
  /** Told what kafkajs has to say of connections; a failing one is tried again by itself. */
  readonly onTrouble?: (message: string) => void;
}

/** How long an answer may take, in milliseconds. A request that waits by its nature has that time on top. */
const REQUEST_TIMEOUT_MS = 5000;
const CONNECTION_TIMEOUT_MS = 3000;
/** New partitions, and leaders that have moved without an error, are noticed after so long. */
const METADATA_MAX_AGE_MS = 5000;

/** A client that gives up at once: whoever calls it knows better when to try again, and what must not be repeated. */
export function createKafka(connection: KafkaConnection): Kafka {
  quietTimers();
  const { brokers, ssl, sasl, onTrouble } = connection;
  return new Kafka({
    brokers: [...brokers],
    clientId: "placard",
    ...(ssl !== undefined && ssl !== false && { ssl }),
    ...(sasl && { sasl }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: { retries: 0, initialRetryTime: 50, maxRetryTime: 200 },
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log }) =>
        onTrouble?.(`${namespace}: ${log.message}${log.error === undefined ? "" : `: ${log.error}`}`),
  });
}

/**
 * Connections to the brokers that renew themselves: after any failure the next use begins with fresh ones and with what
 * the brokers say by then of leaders and coordinators.
 */
export class KafkaLink {
  readonly #kafka: Kafka;
  readonly #topics: readonly string[];
  #current: { readonly cluster: Cluster; readonly ready: Promise<void> } | null = null;
  #closed = false;

  constructor(kafka: Kafka, topics: readonly string[]) {
    this.#kafka = kafka;
    this.#topics = topics;
  }

  /** Rejects with what `work` or kafkajs rejects with; the connections are given up then. */
  async use<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error("The connections have been closed.");
    const current = this.#open();
    try {
      await current.ready;
      await current.cluster.refreshMetadataIfNecessary();
      return await work(current.cluster);
    } catch (error) {
      if (this.#current === current) this.renew();
      throw error;
    }
  }

  /** Gives up the connections; requests on them end by themselves. */
  renew(): void {
    this.#current?.cluster.disconnect().catch(() => undefined);
    this.#current = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    this.#current = null;
    await current?.ready.catch(() => undefined);
    await current?.cluster.disconnect().catch(() => undefined);
  }

  #open() {
    if (this.#current !== null) return this.#current;
    const cluster = createCluster(this.#kafka);
    const ready = cluster.connect().then(() => cluster.addMultipleTargetTopics([...this.#topics]));
    ready.catch(() => undefined);
    this.#current = { cluster, ready };
    return this.#current;
  }
}

/** kafkajs hands its cluster to whoever assigns partitions: the one way to the protocol below its own consumer. */
function createCluster(kafka: Kafka): Cluster {
  let found: Cluster | undefined;
  kafka.consumer({
    groupId: "unused",
    allowAutoTopicCreation: false,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    readUncommitted: true,
    partitionAssigners: [
      (given) => {
        found = given.cluster;
        return PartitionAssigners.roundRobin(given);
      },
    ],
  });
  if (found === undefined) throw new Error("kafkajs has created no cluster.");
  return found;
}

/** The broker that leads a partition, connected. */
export async function leaderOf(cluster: Cluster, topic: string, partition: number): Promise<Broker> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) throw new Error(`Partition ${partition} of ${topic} is not there.`);
  return asBroker(await cluster.findBroker({ nodeId }));
}

/** The broker with the calls that kafkajs's types leave out. */
export function asBroker(broker: unknown): Broker {
  if (broker instanceof Broker) return broker;
  throw new Error("kafkajs has brokers of another kind.");
}
