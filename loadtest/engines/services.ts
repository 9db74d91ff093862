import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "#libs/process/ports.ts";
import type { Role } from "../processes/cores.ts";
import { startFlags } from "../processes/npm-script.ts";
import { type Server, startServer } from "../processes/server.ts";
import type { ClickHouseEngine, KafkaEngine, PostgresEngine, RedisEngine } from "./engines.ts";

export type ServiceName = "serving" | "ingestion" | "management";

/** The engines that separate services share. */
export interface ServiceEngines {
  readonly postgres: PostgresEngine;
  readonly clickHouse: ClickHouseEngine;
  readonly redis: RedisEngine;
  readonly kafka: KafkaEngine;
  /** In Postgres and in ClickHouse, both with their schema. */
  readonly databaseUrl: string;
  readonly clickHouseDatabase: string;
}

export interface ServiceOptions {
  readonly folder: string;
  /** Each installation has its own. */
  readonly topic: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly profileDir: string | undefined;
  /** Default: the server's core; for ingestion, which is not measured, the engines'. */
  readonly role?: Role;
}

/** The same for every process: the rotation is drawn with it. */
const SECRET = randomBytes(32).toString("hex");
const PARTITIONS = "4";

/** Starts one of the separate services as its npm script does, and waits until it is ready. */
export async function startService(
  name: ServiceName,
  engines: ServiceEngines,
  {
    folder,
    topic,
    environment = {},
    profileDir,
    role = name === "ingestion" ? "engine" : "server",
  }: ServiceOptions,
): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { postgres: _, clickHouse, redis, kafka, databaseUrl, clickHouseDatabase } = engines;
  return startServer({
    program: new URL(`../../services/${name}/main.ts`, import.meta.url),
    flags: startFlags(name),
    role,
    env: {
      PORT: String(port),
      LOG_LEVEL: "error",
      SECRET_KEY: SECRET,
      PUBLIC_URL: origin,
      TRUST_PROXY: "127.0.0.1",
      IMPRESSIONS_PER_MINUTE: "0",
      CLICKS_PER_MINUTE: "0",
      SERVER_EVENTS_PER_MINUTE: "0",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      CLICKHOUSE_URL: clickHouse.url,
      CLICKHOUSE_USER: clickHouse.username,
      CLICKHOUSE_PASSWORD: clickHouse.password,
      CLICKHOUSE_DATABASE: clickHouseDatabase,
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_TOPIC: topic,
      KAFKA_PARTITIONS: PARTITIONS,
      KAFKA_REPLICATION: "1",
      SPILL_DIR: join(folder, `spill-${port}`),
      DATA_DIR: join(folder, name),
      PAYMENTS: "sandbox",
      // Nothing is uploaded.
      S3_BUCKET: "loadtest",
      S3_ENDPOINT: "http://127.0.0.1:1",
      S3_ACCESS_KEY_ID: "none",
      S3_SECRET_ACCESS_KEY: "none",
      ...environment,
    },
    ready: origin,
    profileDir,
  });
}
