import { type Cluster, Kafka, logLevel, PartitionAssigners, type SASLOptions } from "kafkajs";
import Broker from "kafkajs/src/broker/index.js";
import RequestQueue from "kafkajs/src/network/requestQueue/index.js";

/** How to connect to the brokers. */
export interface KafkaClientOptions {
  /** `host:port` of some brokers, from which the client learns the others. */
  readonly brokers: readonly string[];
  /** True for TLS with Node's certificate authorities, else the PEM files that replace them. */
  readonly ssl?: boolean | { readonly ca?: string[]; readonly cert?: string; readonly key?: string };
  readonly sasl?: SASLOptions;
  /** Called with the warnings of kafkajs. Failed connections are opened again without the caller. */
  readonly onWarning?: (message: string) => void;
}

/** The time for a response, in milliseconds. Long polls get their waiting time on top. */
const REQUEST_TIMEOUT_MS = 5000;
const CONNECTION_TIMEOUT_MS = 3000;
/** New partitions, and leaders that moved without an error, are noticed after this time. */
const METADATA_MAX_AGE_MS = 5000;

/** A client that never retries: its callers decide when to retry, and what must not be sent twice. */
export function createClient(connection: KafkaClientOptions): Kafka {
  avoidNegativeTimeouts();
  const { brokers, ssl, sasl, onWarning } = connection;
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
        onWarning?.(`${namespace}: ${log.message}${log.error === undefined ? "" : `: ${log.error}`}`),
  });
}

/** Connections to the brokers. After any failure the next use starts with new connections and fresh metadata. */
export class ClusterConnection {
  readonly #kafka: Kafka;
  readonly #topics: readonly string[];
  #current: { readonly cluster: Cluster; readonly ready: Promise<void> } | null = null;
  #closed = false;

  constructor(kafka: Kafka, topics: readonly string[]) {
    this.#kafka = kafka;
    this.#topics = topics;
  }

  /** Rejects as `work` or kafkajs does, and drops the connections. */
  async use<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error("The connections have been closed.");
    const current = this.#open();
    try {
      await current.ready;
      await current.cluster.refreshMetadataIfNecessary();
      return await work(current.cluster);
    } catch (error) {
      if (this.#current === current) this.drop();
      throw error;
    }
  }

  /** Drops the connections; requests on them fail. */
  drop(): void {
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

/** A partition assigner is given the cluster: the one public way to the protocol below kafkajs's own consumer. */
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
  if (nodeId === undefined) throw new Error(`The topic ${topic} has no partition ${partition}.`);
  return asBroker(await cluster.findBroker({ nodeId }));
}

/** The broker with the methods that kafkajs's types omit. */
export function asBroker(broker: unknown): Broker {
  if (broker instanceof Broker) return broker;
  throw new Error("kafkajs returned an unknown kind of broker.");
}

const { scheduleCheckPendingRequests } = RequestQueue.prototype;

/** kafkajs sets a timer for a past time after each response; Node 24 then prints a warning that no option prevents. */
export function avoidNegativeTimeouts(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheckPendingRequests.call(this);
  };
}
