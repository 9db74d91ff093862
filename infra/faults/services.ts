import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "#libs/process/ports.ts";
import { Program } from "../native/program.ts";

/** A service under test and where it is reached. */
export interface Service {
  readonly program: Program;
  readonly origin: string;
  /** Milliseconds by which its clock is wrong, from the next look on (20 ms). */
  readonly clockFile: string;
}

export interface ServicesOptions {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly kafkaBrokers: string;
  readonly clickHouse: { readonly url: string; readonly username: string; readonly password: string };
}

/** Makes services that share engines, as an installation's do. */
export class Services {
  readonly #options: ServicesOptions;
  readonly #secret = randomBytes(32).toString("hex");
  #publicUrl = "";

  constructor(options: ServicesOptions) {
    this.#options = options;
  }

  /** The first to be made: the others are reported where it is. */
  async management(): Promise<Service> {
    const port = await freePort();
    this.#publicUrl = `http://127.0.0.1:${port}`;
    return this.#service("management", port, {
      ...this.#clickHouse(this.#options.clickHouse.url),
      DATA_DIR: join(this.#options.folder, "management"),
      PAYMENTS: "sandbox",
      // Nothing is uploaded.
      ...{ S3_BUCKET: "placard-faults", S3_ENDPOINT: "http://127.0.0.1:1" },
      ...{ S3_ACCESS_KEY_ID: "none", S3_SECRET_ACCESS_KEY: "none" },
    });
  }

  async serving(number: number): Promise<Service> {
    return this.#service(
      "serving",
      await freePort(),
      {
        ...this.#kafka(),
        SPILL_QUARANTINE_SECONDS: "12",
        SPILL_DIR: join(this.#options.folder, `spill-${number}`),
        TRUST_PROXY: "127.0.0.1",
      },
      number,
    );
  }

  /** `clickHouseUrl` is where it finds ClickHouse: a proxy in front of it. */
  async ingestion(number: number, clickHouseUrl: string): Promise<Service> {
    return this.#service(
      "ingestion",
      await freePort(),
      {
        ...this.#kafka(),
        ...this.#clickHouse(clickHouseUrl),
      },
      number,
    );
  }

  #kafka() {
    // One broker can keep one copy; each ingestion process gets two partitions.
    return { KAFKA_BROKERS: this.#options.kafkaBrokers, KAFKA_REPLICATION: "1", KAFKA_PARTITIONS: "4" };
  }

  #clickHouse(url: string) {
    const { username, password } = this.#options.clickHouse;
    return { CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password };
  }

  #service(
    kind: "serving" | "ingestion" | "management",
    port: number,
    environment: Readonly<Record<string, string>>,
    number = 1,
  ): Service {
    const { databaseUrl, redisUrl, folder } = this.#options;
    const origin = `http://127.0.0.1:${port}`;
    const clockFile = join(folder, `clock-${kind}-${number}`);
    const program = new Program({
      name: `${kind} ${number}`,
      command: [process.execPath, "--import", "./infra/faults/shifted-clock.ts", `services/${kind}/main.ts`],
      environment: {
        PORT: String(port),
        SECRET_KEY: this.#secret,
        PUBLIC_URL: this.#publicUrl,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        CLOCK_SHIFT_FILE: clockFile,
        ...environment,
      },
      // Not readiness: a service has to start while an engine is away.
      isUp: async () => (await fetch(`${origin}/livez`)).ok,
    });
    return { program, origin, clockFile };
  }
}

/** Lets the service's clock be wrong by this much. */
export async function setClock({ clockFile }: Service, shiftMs: number): Promise<void> {
  await writeFile(clockFile, String(shiftMs));
}

/** The value of a metric of the service, summed over its labels; undefined where it has none of that name. */
export async function readMetric({ origin }: Service, name: string): Promise<number | undefined> {
  const answer = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  const values = text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.split(" ").at(-1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** The metric of all of them together; those that have none count nothing. */
export async function sumOfMetric(services: readonly Service[], name: string): Promise<number> {
  const values = await Promise.all(services.map((one) => readMetric(one, name)));
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
