import { randomBytes } from "node:crypto";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { Client } from "pg";
import { freePort, isListening } from "#libs/process/ports.ts";
import type { ProgramOptions } from "./program.ts";

/** Shorter ones replace nodes that are only busy; longer ones keep ingestion waiting for longer. */
const CLUSTER_NODE_TIMEOUT_MS = "2000";
const RUN = fileURLToPath(new URL("run/", import.meta.url));

/** How a private engine is run, and its address. */
export interface EngineRecipe<Address> {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Asks it to end. Default `SIGTERM`. */
  readonly stopSignal?: "SIGTERM" | "SIGINT";
  /** Whether it can be used; throwing is no. */
  readonly isUp: () => Promise<boolean>;
  readonly address: Address;
}

export interface ClickHouseAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** Each of these keeps its data in its own folder below `folder` and finds it there after a restart. */
export async function clickHouseRecipe(
  folder: string,
): Promise<EngineRecipe<ClickHouseAddress & { readonly folder: string }>> {
  const port = await freePort();
  const address = {
    url: `http://127.0.0.1:${port}`,
    username: "placard",
    password: randomBytes(12).toString("hex"),
    folder: join(folder, "clickhouse"),
  };
  return {
    name: "ClickHouse",
    command: [`${RUN}clickhouse`],
    environment: {
      PORT: String(port),
      FOLDER: address.folder,
      CLICKHOUSE_USER: address.username,
      CLICKHOUSE_PASSWORD: address.password,
    },
    isUp: async () => (await fetch(`${address.url}/ping`)).ok,
    address,
  };
}

/** It persists nothing by itself; after a save, a restart restores the data. */
export async function redisRecipe(folder: string): Promise<EngineRecipe<{ readonly url: string }>> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const own = join(folder, "redis");
  await mkdir(own, { recursive: true });
  return {
    name: "Redis",
    command: ["redis-server", "--bind", "127.0.0.1", "--port", String(port), "--save", "", "--dir", own],
    environment: {},
    isUp: () => answersPing(url),
    address: { url },
  };
}

export interface RedisClusterAddress {
  /** As `REDIS_URL` has it. */
  readonly url: string;
  readonly nodes: readonly RedisClusterNode[];
}

export interface RedisClusterNode {
  readonly port: number;
  readonly pidFile: string;
  /** Runs it again after it has ended: empty, in its old place in the cluster. */
  readonly again: ProgramOptions;
}

/** Six nodes, three of them replicas. One that does not answer for 2 s is replaced. A restart makes a new, empty cluster. */
export async function redisClusterRecipe(folder: string): Promise<EngineRecipe<RedisClusterAddress>> {
  const ports = new Set<number>();
  while (ports.size < 12) ports.add(await freePort());
  const own = join(folder, "redis-cluster");
  const [nodePorts, busPorts] = [[...ports].slice(0, 6), [...ports].slice(6)];
  const nodes = nodePorts.map((port, n) => ({
    port,
    pidFile: join(own, `node-${port}.pid`),
    again: {
      name: `node ${n + 1} of Redis Cluster`,
      command: [`${RUN}redis-cluster-node`] as const,
      environment: {
        PORT: String(port),
        BUS_PORT: String(busPorts[n]),
        FOLDER: join(own, `node-${port}`),
        NODE_TIMEOUT: CLUSTER_NODE_TIMEOUT_MS,
      },
      isUp: async () => (await replicasKnownTo(port)) === 3,
    },
  }));
  return {
    name: "Redis Cluster",
    command: [`${RUN}redis-cluster`],
    environment: { PORTS: [...ports].join(" "), FOLDER: own, NODE_TIMEOUT: CLUSTER_NODE_TIMEOUT_MS },
    isUp: async () => {
      await access(join(own, "complete"));
      const replicas = await Promise.all(nodes.map(({ port }) => replicasKnownTo(port)));
      return replicas.every((known) => known === 3);
    },
    address: { url: nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(","), nodes },
  };
}

export interface KafkaAddress {
  readonly port: number;
  readonly broker: string;
  /** Where its topics lie, a folder a partition. */
  readonly logs: string;
}

/** It advertises `advertisedPort` to clients, where a proxy may listen; by default its own port. */
export async function kafkaRecipe(
  folder: string,
  advertisedPort?: number,
): Promise<EngineRecipe<KafkaAddress>> {
  const port = await freePort();
  const own = join(folder, "kafka");
  return {
    name: "Kafka",
    command: [`${RUN}kafka`],
    environment: {
      PORT: String(port),
      ADVERTISED_PORT: String(advertisedPort ?? port),
      CONTROLLER_PORT: String(await freePort()),
      FOLDER: own,
    },
    isUp: () => isListening(port),
    address: { port, broker: `127.0.0.1:${port}`, logs: join(own, "logs") },
  };
}

/** `environment` is what its `run` takes besides. */
export async function postgresRecipe(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<EngineRecipe<{ readonly url: string }>> {
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    name: "Postgres",
    command: [`${RUN}postgres`],
    environment: {
      PORT: String(port),
      FOLDER: join(folder, "postgres"),
      POSTGRES_PASSWORD: password,
      ...environment,
    },
    // By the other signal it would wait until all its clients have gone by themselves.
    stopSignal: "SIGINT",
    isUp: () => takesConnections(url),
    address: { url },
  };
}

async function answersPing(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } finally {
    redis.disconnect();
  }
}

/** Those that are in sync, as a node of a cluster knows them. */
async function replicasKnownTo(port: number): Promise<number> {
  const redis = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    if (!(await redis.cluster("INFO")).includes("cluster_state:ok")) return 0;
    const nodes = String(await redis.cluster("NODES"));
    // `id address flags …`: https://redis.io/docs/latest/commands/cluster-nodes/
    return nodes.split("\n").filter((node) => {
      const [, , flags = "", ...rest] = node.split(" ");
      return flags.split(",").includes("slave") && rest.includes("connected");
    }).length;
  } finally {
    redis.disconnect();
  }
}

async function takesConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
