import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "#libs/process/ports.ts";
import { aPublisher, aTier } from "../../services/management/tests/story.ts";
import { advertise, approve } from "../../services/standalone/tests/publisher.ts";
import { viewAds } from "../../services/standalone/tests/visitor.ts";
import { aPrivateEngine, type PrivateEngine } from "../native/private-engine.ts";
import type { Program } from "../native/program.ts";
import { clickHouseRecipe, kafkaRecipe, postgresRecipe, redisRecipe } from "../native/recipes.ts";
import { ClickHouseProxy } from "./clickhouse-proxy.ts";
import { KafkaProxy } from "./kafka-proxy.ts";
import { Oracle } from "./oracle.ts";
import { connectPatiently, readSalts } from "./salts.ts";
import { SentLog } from "./sent-log.ts";
import { type Service, Services } from "./services.ts";
import { Stored } from "./stored.ts";

const ADS = 4;

/** A whole installation on engines of its own: two serving and two ingestion processes, and a way to break each part. */
export type Installation = Awaited<ReturnType<typeof startInstallation>>;

export interface InstallationOptions {
  /** In place of one server; started and ended with the installation. */
  readonly redisCluster?: PrivateEngine<{ readonly url: string }>;
}

/** Starts one: engines first, then management, then the rest, with ads on the air. */
export async function startInstallation({ redisCluster }: InstallationOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "placard-faults-"));
  const kafkaPort = await freePort();
  const redis = redisCluster ?? (await aPrivateEngine(redisRecipe(folder)));
  const clickHouse = await aPrivateEngine(clickHouseRecipe(folder));
  const postgres = await aPrivateEngine(postgresRecipe(folder));
  const kafka = await aPrivateEngine(kafkaRecipe(folder, kafkaPort));
  const kafkaProxy = new KafkaProxy(kafkaPort, kafka.address.port);
  /** One for each ingestion process. */
  const clickHouseProxies: [ClickHouseProxy, ClickHouseProxy] = [
    new ClickHouseProxy(clickHouse.address.url),
    new ClickHouseProxy(clickHouse.address.url),
  ];
  const programs: Program[] = [redis, clickHouse, postgres, kafka].map(({ program }) => program);
  const ending: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];

  async function close(): Promise<void> {
    await Promise.all(programs.map((program) => program.cleanUp()));
    for (const end of ending.reverse()) await end();
  }

  try {
    await kafkaProxy.open();
    ending.push(() => kafkaProxy.close());
    await Promise.all(programs.map((program) => program.start()));
    const services = new Services({
      folder,
      databaseUrl: postgres.address.url,
      redisUrl: redis.address.url,
      kafkaBrokers: `127.0.0.1:${kafkaPort}`,
      clickHouse: clickHouse.address,
    });
    const management = await services.management();
    programs.push(management.program);
    await management.program.start();
    const serving: [Service, Service] = [await services.serving(1), await services.serving(2)];
    const [firstProxy, secondProxy] = clickHouseProxies;
    const ingestion: [Service, Service] = [
      await services.ingestion(1, await firstProxy.open()),
      await services.ingestion(2, await secondProxy.open()),
    ];
    ending.push(...clickHouseProxies.map((proxy) => () => proxy.close()));
    const others = [...serving, ...ingestion].map(({ program }) => program);
    programs.push(...others);
    await Promise.all(others.map((program) => program.start()));

    const { publisher, workspaceId, adIds } = await sellAds(management, serving);
    const sentLog = new SentLog();
    const oracle = new Oracle(sentLog, adIds);
    const stored = new Stored({ ...clickHouse.address, database: "placard" });
    const redisClient = connectPatiently(redis.address.url);
    ending.push(
      () => stored.close(),
      () => redisClient.disconnect(),
    );
    return {
      folder,
      engines: { redis, clickHouse, postgres, kafka },
      clickHouseProxies,
      kafkaProxy,
      services,
      management,
      serving,
      ingestion,
      programs,
      publisher,
      workspaceId,
      adIds,
      sentLog,
      oracle,
      stored,
      redis: redisClient,
      /** What the oracle has already reported, so that the next fault is not blamed for it. */
      reported: new Set<number | string>(),
      /** Undoes whatever a fault that has failed may have left. */
      async restore(): Promise<void> {
        kafkaProxy.calm();
        for (const proxy of clickHouseProxies) proxy.calm();
        for (const program of programs) {
          program.wake();
          if (!program.isRunning) await program.start();
        }
      },
      /** Has to be called before Redis loses what it has. */
      async learnSalts(): Promise<void> {
        for (const { day, salt } of await readSalts(redisClient)) oracle.addSalt(salt, day);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A workspace with ads on the air, seen by every serving process. */
async function sellAds(management: Service, serving: readonly Service[]) {
  const { origin } = management;
  const publisher = await aPublisher({ origin });
  const { prices } = await aTier(publisher);
  const adIds: string[] = [];
  for (let index = 1; index <= ADS; index += 1) {
    const adId = await advertise(origin, publisher, prices[0]?.id ?? "", `Advertiser ${index}`);
    await approve(publisher, adId);
    adIds.push(adId);
  }
  const workspaceId = publisher.workspace.id;
  for (const one of serving) {
    await vi.waitUntil(async () => (await viewAds(one.origin, workspaceId)).length === ADS, {
      timeout: 10_000,
      interval: 50,
    });
  }
  return { publisher, workspaceId, adIds };
}
