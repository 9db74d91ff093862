import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import pg from "pg";
import { onTestFinished } from "vitest";
import { freePort } from "#libs/process/ports.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createTestBucket } from "#libs/uploads/tests/bucket.ts";
import { Program } from "../native/program.ts";

export type ServiceName = "serving" | "ingestion" | "management";

/** A service of the installation as a process of its own. */
export interface SplitService {
  readonly program: Program;
  readonly origin: string;
}

/**
 * An installation as separate services behind the proxy, on the engines that `infra/native/up` has started, in a database,
 * topic, Redis database and bucket of its own. What remains after the test is killed and removed.
 */
export interface SplitInstallation {
  /** Where the proxy is. */
  readonly origin: string;
  readonly management: SplitService;
  readonly serving: readonly SplitService[];
  readonly ingestion: readonly SplitService[];
  /** Settings of a service of this installation, to start another one with. */
  environmentOf(name: ServiceName): Record<string, string>;
  /** Starts a further process of a service, without the proxy's knowledge. */
  add(name: ServiceName, environment?: Readonly<Record<string, string>>): Promise<SplitService>;
}

export interface SplitOptions {
  /** Processes of each, default 1. */
  readonly serving?: number;
  readonly ingestion?: number;
  /** Over what they need, for every service. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The number of databases in Redis; others use the first. */
const REDIS_DATABASES = 16;

export async function startSplitInstallation(options: SplitOptions = {}): Promise<SplitInstallation> {
  const folder = await aFolder();
  const name = `split_${randomBytes(6).toString("hex")}`;
  const databaseUrl = await createDatabase(name);
  onTestFinished(() => dropClickHouse(name));
  const bucket = await createTestBucket();
  onTestFinished(() => bucket.remove());
  const proxyPort = await freePort();
  const origin = `http://127.0.0.1:${proxyPort}`;
  const all = {
    SECRET_KEY: randomBytes(32).toString("hex"),
    PUBLIC_URL: origin,
    TRUST_PROXY: "127.0.0.1",
    DATABASE_URL: databaseUrl,
    REDIS_URL: `${variable("REDIS_TEST_URL")}/${1 + ((randomBytes(1)[0] ?? 0) % (REDIS_DATABASES - 1))}`,
    ...options.environment,
  };
  const clickhouse = {
    CLICKHOUSE_URL: variable("CLICKHOUSE_TEST_URL"),
    CLICKHOUSE_USER: variable("CLICKHOUSE_TEST_USER"),
    CLICKHOUSE_PASSWORD: variable("CLICKHOUSE_TEST_PASSWORD"),
    CLICKHOUSE_DATABASE: name,
  };
  const kafka = {
    KAFKA_BROKERS: variable("KAFKA_TEST_BROKERS"),
    KAFKA_TOPIC: name,
    KAFKA_PARTITIONS: "4",
    KAFKA_REPLICATION: "1",
  };
  const { endpoint, credentials } = bucket.options;
  const environments: Record<ServiceName, Record<string, string>> = {
    serving: { ...all, ...kafka, SPILL_DIR: join(folder, "spill") },
    ingestion: { REDIS_URL: all.REDIS_URL, ...kafka, ...clickhouse, ...options.environment },
    management: {
      ...all,
      ...clickhouse,
      PAYMENTS: "sandbox",
      DATA_DIR: join(folder, "management"),
      S3_BUCKET: bucket.options.bucket,
      S3_ENDPOINT: endpoint ?? "",
      S3_FORCE_PATH_STYLE: "true",
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? "",
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? "",
    },
  };

  async function make(service: ServiceName, environment: Readonly<Record<string, string>> = {}) {
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const program = new Program({
      name: service,
      command: [process.execPath, `services/${service}/main.ts`],
      environment: { PORT: String(port), ...environments[service], ...environment },
      isUp: async () => (await fetch(`${own}/readyz`)).ok,
    });
    onTestFinished(() => program.cleanUp());
    return { program, origin: own };
  }

  const management = await make("management");
  const serving = await Promise.all(Array.from({ length: options.serving ?? 1 }, () => make("serving")));
  const ingestion = await Promise.all(
    Array.from({ length: options.ingestion ?? 1 }, () => make("ingestion")),
  );
  const proxy = await aProxy(join(folder, "proxy"), proxyPort, serving, management);
  // All at once, as an orchestrator would: they wait for each other where they have to.
  await Promise.all([management, ...serving, ...ingestion].map(({ program }) => program.start()));
  await proxy.start();
  return {
    origin,
    management,
    serving,
    ingestion,
    environmentOf: (service) => ({ ...environments[service] }),
    async add(service, environment) {
      const added = await make(service, environment);
      await added.program.start();
      return added;
    },
  };
}

async function aProxy(
  folder: string,
  port: number,
  serving: readonly SplitService[],
  management: SplitService,
): Promise<Program> {
  const hostOf = ({ origin }: SplitService) => new URL(origin).host;
  const proxy = new Program({
    name: "nginx",
    command: ["infra/native/run/nginx"],
    environment: {
      PORT: String(port),
      FOLDER: folder,
      SERVING: serving.map(hostOf).join(" "),
      MANAGEMENT: hostOf(management),
      NGINX_BINARY: variable("NGINX_BINARY"),
    },
    isUp: async () => (await fetch(`http://127.0.0.1:${port}/v1/openapi.json`)).ok,
  });
  onTestFinished(() => proxy.cleanUp());
  return proxy;
}

/** An empty database on the shared server, dropped after the test; returns its URL. */
async function createDatabase(name: string): Promise<string> {
  const shared = variable("POSTGRES_TEST_URL");
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: shared });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await ask(`create database ${name}`);
  onTestFinished(() => ask(`drop database ${name} with (force)`));
  return Object.assign(new URL(shared), { pathname: `/${name}` }).href;
}

async function dropClickHouse(name: string): Promise<void> {
  const client = createClient({
    url: variable("CLICKHOUSE_TEST_URL"),
    username: variable("CLICKHOUSE_TEST_USER"),
    password: variable("CLICKHOUSE_TEST_PASSWORD"),
  });
  await client.command({ query: `DROP DATABASE IF EXISTS ${name}` }).finally(() => client.close());
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: eval "$(infra/native/up)"`);
  return value;
}
