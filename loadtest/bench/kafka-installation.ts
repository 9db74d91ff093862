import { createStatsStore } from "#libs/stats-store/index.ts";
import { type ServiceEngines, startService } from "../engines/services.ts";
import { SEEDS } from "../engines/test-engines.ts";
import type { Later } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { seedId } from "../seeds/seed-ids.ts";
import type { Bench } from "./bench.ts";
import type { Counted } from "./counting.ts";

/** Serving and ingestion as separate services on Kafka, Redis, Postgres and ClickHouse, with the main workspace in them. */
export interface KafkaInstallation {
  readonly engines: ServiceEngines;
  readonly serving: Server;
  readonly ingestion: Server;
  readonly topic: string;
  readonly workspaceId: string;
  readonly adIds: readonly string[];
  /** Where its events are counted. */
  readonly counted: Counted;
  /** Reads a month of an ad's stats. */
  readStats(adId: string): Promise<boolean>;
}

/** The whole window that events of this run can be in. */
const A_DAY_MS = 86_400_000;

/** Starts both services; `later` stops them. `topic` is of its own for each installation. */
export async function startKafkaInstallation(
  { testEngines, folder, options }: Bench,
  topic: string,
  later: Later,
): Promise<KafkaInstallation> {
  await testEngines.seed("main");
  const engines = await testEngines.all();
  const { profileDir } = options;
  const serving = await startService("serving", engines, { folder, topic, profileDir });
  later(() => serving.stop());
  const ingestion = await startService("ingestion", engines, { folder, topic, profileDir });
  later(() => ingestion.stop());
  const stats = createStatsStore({ ...engines.clickHouse, database: engines.clickHouseDatabase });
  later(() => stats.close());

  const { first, adsEach, firstAd } = SEEDS.main;
  const workspaceId = seedId("ws", first);
  const adIds = Array.from({ length: adsEach }, (_, nth) => seedId("ad", firstAd + nth));
  const day = (now: number) => new Date(now).toISOString().slice(0, 10);
  const lastDays = (days: number) => ({ from: day(Date.now() - days * A_DAY_MS), to: day(Date.now()) });
  return {
    engines,
    serving,
    ingestion,
    topic,
    workspaceId,
    adIds,
    counted: {
      origin: serving.origin,
      ingestionOrigin: ingestion.origin,
      adIds,
      async impressionsInStats() {
        const counts = await stats.countsByAd(workspaceId, lastDays(1));
        return counts.reduce((sum, { impressions }) => sum + impressions, 0);
      },
    },
    async readStats(adId) {
      await stats.dailyOfAd(workspaceId, adId, lastDays(30));
      return true;
    },
  };
}
