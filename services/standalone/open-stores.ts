import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import type { Database } from "#libs/database/connection.ts";
import { migrate } from "#libs/database/migrate.ts";
import {
  clickhouseAccess,
  openPostgres,
  openSharedJudge,
  openSharedStores,
  openSpillingKafka,
  openStats,
  reportBrokenParts,
  VISITORS_WAIT_MS,
} from "#libs/engines/index.ts";
import { type EventLog, type LocalEventLog, openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge, type Judge } from "#libs/judge/index.ts";
import { createMemoryLimits, type Limits } from "#libs/limits/index.ts";
import { createMemoryPlacements, type Placements } from "#libs/placements/index.ts";
import { using } from "#libs/process/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { registerSpillMetrics } from "../serving/start/spill-metrics.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";
import type { OwnEngines } from "./own-engines.ts";

/** Enough for requests, jobs and the notifications that wake jobs. None is held during calls to the payment processor. */
const CONNECTIONS = 24;

/** Opens Postgres, given or embedded, and migrates its schema. */
export async function openDatabase(
  configuration: Configuration,
  { postgresUrl }: OwnEngines,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Database> {
  const database = openPostgres(
    configuration.databaseUrl ?? (await postgresUrl) ?? "",
    { ...configuration, usualPoolSize: CONNECTIONS, name: "placard" },
    logger,
    shutdown,
  );
  await database.ping();
  await migrate(database);
  return database;
}

/** Opens ClickHouse, given or embedded, and migrates its schema. */
export async function openStatsStore(
  configuration: Configuration,
  { clickhouse }: OwnEngines,
  logger: Logger,
  shutdown: Shutdown,
): Promise<StatsStore> {
  const { clickhouseUrl = "" } = configuration;
  const access = (await clickhouse) ?? clickhouseAccess({ ...configuration, clickhouseUrl });
  const stats = openStats(access, configuration, shutdown);
  await using(`ClickHouse at ${new URL(access.url).origin}`, async () => {
    await stats.migrate();
    await reportBrokenParts(stats, logger);
  });
  return stats;
}

export interface OpenedLog {
  readonly log: EventLog;
  readonly local: LocalEventLog | null;
}

/**
 * Opens the event log: in Kafka behind the spill if brokers are configured, otherwise in the data folder, where it is also
 * `local`.
 */
export async function openLog(
  configuration: Configuration,
  folder: DataFolder,
  metrics: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<OpenedLog> {
  const { kafkaBrokers } = configuration;
  if (kafkaBrokers !== undefined) {
    const spill = await openSpillingKafka({ ...configuration, kafkaBrokers }, logger, shutdown);
    registerSpillMetrics(metrics, () => spill.spillState());
    return { log: spill, local: null };
  }
  const log = await openLocalEventLog({
    file: folder.eventLog,
    onWarning: (message) => logger.warn(message),
  });
  shutdown.onRelease("the event log", () => log.close());
  return { log, local: log };
}

/** Opens the limits, the store of snapshots and the judge: in Redis if it is configured, otherwise in this process. */
export async function openStores(
  configuration: Configuration,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ limits: Limits; placements: Placements; judge: Judge; saltsFolder: string | undefined }> {
  const { redisUrl, redisCaFile } = configuration;
  if (redisUrl !== undefined) {
    const settings = { redisUrl, redisCaFile, answersWithinMs: VISITORS_WAIT_MS };
    const { limits, placements } = await openSharedStores(settings, logger, shutdown);
    const { judge } = await openSharedJudge(settings, logger, shutdown);
    return { limits, placements, judge, saltsFolder: configuration.spillDir };
  }
  const inMemory = createMemoryLimits({ saltFile: folder.salt });
  shutdown.onRelease("the limits", () => inMemory.close());
  const placements = createMemoryPlacements();
  shutdown.onRelease("the placements", () => placements.close());
  return { limits: inMemory, placements, judge: createMemoryJudge(), saltsFolder: undefined };
}
