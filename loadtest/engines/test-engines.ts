import pg from "pg";
import { openDatabase } from "#libs/database/connection.ts";
import { migrate } from "#libs/database/migrate.ts";
import { createStatsStore } from "#libs/stats-store/index.ts";
import { once } from "../processes/once.ts";
import type { Later } from "../processes/releases.ts";
import { type SeededWorkspaces, seedWorkspaces } from "../seeds/seed.ts";
import { seedKeys } from "../seeds/seed-keys.ts";
import type { Engine } from "./engine.ts";
import {
  type ClickHouseEngine,
  type KafkaEngine,
  type PostgresEngine,
  type RedisEngine,
  startClickHouse,
  startKafka,
  startPostgres,
  startRedis,
} from "./engines.ts";
import type { ServiceEngines } from "./services.ts";

/** Rows for Postgres, each seeded when a scenario first needs it. Ads are numbered without gaps from 0 to `GROWN_ADS`. */
export const SEEDS = {
  /** The workspace that most loads go to. */
  main: { first: 1, count: 1, adsEach: 1_000, firstAd: 2_000_000 },
  /** Workspaces to create things in. */
  empty: { first: 100, count: 200, adsEach: 0, firstAd: 0 },
  ads10: { first: 11, count: 1, adsEach: 10, firstAd: 2_010_000 },
  ads100: { first: 12, count: 1, adsEach: 100, firstAd: 2_020_000 },
  ads1000: { first: 13, count: 1, adsEach: 1_000, firstAd: 2_030_000 },
  ads10000: { first: 14, count: 1, adsEach: 10_000, firstAd: 2_040_000 },
  many: { first: 10_000, count: 10_000, adsEach: 50, firstAd: 0 },
  /** With `many` 100,000 workspaces and a million ads. */
  rest: { first: 20_000, count: 90_000, adsEach: 6, firstAd: 500_000 },
} satisfies Record<string, SeededWorkspaces>;

export type SeedName = keyof typeof SEEDS;

const MAIN_KEYS = 1_000;
const POSTGRES_DATABASE = "loadtest";
const CLICKHOUSE_DATABASE = "loadtest";

/** The engines of the separate services, each started when a scenario first needs it, and what they are seeded with. */
export interface TestEngines {
  postgres(): Promise<PostgresEngine>;
  clickHouse(): Promise<ClickHouseEngine>;
  redis(): Promise<RedisEngine>;
  kafka(): Promise<KafkaEngine>;
  /** A database with the schema in place. */
  databaseUrl(): Promise<string>;
  /** Starts all of them, with the schema of the stats store in place. */
  all(): Promise<ServiceEngines>;
  /** Seeds the database with what it does not have yet. */
  seed(...names: readonly SeedName[]): Promise<void>;
  /** Keys of the main workspace, which share its loads: each takes 120 requests a minute. */
  mainKeys(): Promise<readonly string[]>;
  /** A key of each of the empty workspaces, in their order. */
  emptyKeys(): Promise<readonly string[]>;
}

/** Registers each started engine with `later`, which stops it. */
export function createTestEngines(folder: string, later: Later): TestEngines {
  const engine = <E extends Engine>(start: (folder: string) => Promise<E>) =>
    once(async () => {
      const started = await start(folder);
      later(() => started.stop());
      return started;
    });
  const postgres = engine(startPostgres);
  const clickHouse = engine(startClickHouse);
  const redis = engine(startRedis);
  const kafka = engine(startKafka);

  const databaseUrl = once(async () => {
    const { url } = await postgres();
    await withClient(url, (client) => client.query(`create database ${POSTGRES_DATABASE}`));
    const own = Object.assign(new URL(url), { pathname: `/${POSTGRES_DATABASE}` }).href;
    const database = openDatabase({ url: own });
    await migrate(database).finally(() => database.close());
    return own;
  });
  const statsSchema = once(async () => {
    const stats = createStatsStore({ ...(await clickHouse()), database: CLICKHOUSE_DATABASE });
    await stats.migrate().finally(() => stats.close());
  });

  const seedOnce = (name: SeedName) =>
    once(async () => withClient(await databaseUrl(), (client) => seedWorkspaces(client, SEEDS[name])));
  const seeds: Record<SeedName, () => Promise<void>> = {
    main: seedOnce("main"),
    empty: seedOnce("empty"),
    ads10: seedOnce("ads10"),
    ads100: seedOnce("ads100"),
    ads1000: seedOnce("ads1000"),
    ads10000: seedOnce("ads10000"),
    many: seedOnce("many"),
    rest: seedOnce("rest"),
  };

  const keys = (name: "main" | "empty", each: number) =>
    once(async () => {
      await seeds[name]();
      const { first, count } = SEEDS[name];
      const workspaces = Array.from({ length: count }, (_, nth) => first + nth);
      return withClient(await databaseUrl(), async (client) =>
        (await seedKeys(client, workspaces, each)).flat(),
      );
    });

  return {
    mainKeys: keys("main", MAIN_KEYS),
    emptyKeys: keys("empty", 1),
    postgres,
    clickHouse,
    redis,
    kafka,
    databaseUrl,
    async all() {
      const parts = [postgres(), clickHouse(), redis(), kafka()] as const;
      // When one fails the others are waited for all the same: none is to begin behind what stops them.
      await Promise.allSettled(parts);
      const [ownPostgres, ownClickHouse, ownRedis, ownKafka] = await Promise.all(parts);
      await statsSchema();
      return {
        postgres: ownPostgres,
        clickHouse: ownClickHouse,
        redis: ownRedis,
        kafka: ownKafka,
        databaseUrl: await databaseUrl(),
        clickHouseDatabase: CLICKHOUSE_DATABASE,
      };
    },
    async seed(...names) {
      for (const name of names) await seeds[name]();
    },
  };
}

/** Lends a connection. */
export async function withClient<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return body(client).finally(() => client.end());
}
