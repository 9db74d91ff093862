import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import {
  type ConfigOf,
  databaseSettings,
  kafkaSettings,
  limitSettings,
  networkSettings,
  processSettings,
  readConfig,
  storageSettings,
  uploadSettings,
} from "#libs/config/index.ts";
import type { Database } from "#libs/database/connection.ts";
import { startEmbeddedPostgres } from "#libs/database/embedded/embedded.ts";
import { lockFolder } from "#libs/database/embedded/folder-lock.ts";
import { findRunningPostgres } from "#libs/database/embedded/running.ts";
import { isMigrated } from "#libs/database/migration-files.ts";
import { clickhouseAccess, openPostgres, openStats } from "#libs/engines/index.ts";
import { type DataPaths, pathsBelow } from "#libs/installation/index.ts";
import { commandLine, StartError, using } from "#libs/process/index.ts";
import { findRunningClickHouse, type StatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { createS3Uploads, filesBelow, type Uploads } from "#libs/uploads/index.ts";
import { chooseBucket } from "../management/start/bucket.ts";

const settings = {
  publicUrl: networkSettings.publicUrl,
  kafkaBrokers: kafkaSettings.kafkaBrokers,
  uploadMaxBytes: limitSettings.uploadMaxBytes,
  logLevel: processSettings.logLevel,
  ...storageSettings,
  ...databaseSettings,
  ...uploadSettings,
};

export type VerificationSettings = ConfigOf<typeof settings>;

/** The stores of an installation, opened by a command. */
export interface OpenInstallation {
  /** Whether the product may be writing. Always true for separate services, because nobody can know. */
  readonly isRunning: boolean;
  /** Null for separate services. */
  readonly folder: DataPaths | null;
  /** The file of the event log; null where the log is in Kafka. */
  readonly logFile: string | null;
  readonly database: Database;
  readonly stats: StatsStore;
  readonly files: Pick<Uploads, "find" | "keys">;
  readonly hasBucket: boolean;
  /** Days for which raw events are kept. */
  readonly eventRetentionDays: number;
}

/** Longer than the product's own time-out, because a comparison reads whole months. */
const QUERY_SECONDS = 300;
const CONNECTIONS = 2;

/** Reads the environment that the product is started with. Throws `ConfigError`. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): VerificationSettings {
  return readConfig(settings, environment);
}

/**
 * Opens the stores that the settings name. On `DATA_DIR` it uses the engines of the running product, or starts them until this
 * process ends; separate services have theirs at `DATABASE_URL` and `CLICKHOUSE_URL`. Creates no store. Throws `StartError` if
 * one is missing or belongs to another version.
 */
export async function openInstallation(
  given: VerificationSettings,
  logger: Logger,
  shutdown: Shutdown,
): Promise<OpenInstallation> {
  const paths = pathsBelow(given.dataDir);
  const isSplit =
    given.databaseUrl !== undefined && given.clickhouseUrl !== undefined && !existsSync(paths.eventLog);
  const isRunning = isSplit || !takeFolder(dirname(paths.postgres), shutdown);
  const database = openPostgres(
    given.databaseUrl ?? (await postgresIn(paths, isRunning, logger, shutdown)),
    { ...given, usualPoolSize: CONNECTIONS, name: "placard verification" },
    logger,
    shutdown,
  );
  await database.ping();
  const { clickhouseUrl } = given;
  const access =
    clickhouseUrl === undefined
      ? await clickHouseIn(paths, isRunning, logger, shutdown)
      : clickhouseAccess({ ...given, clickhouseUrl });
  const clickhouseTimeoutSeconds = Math.max(given.clickhouseTimeoutSeconds, QUERY_SECONDS);
  const stats = openStats(access, { ...given, clickhouseTimeoutSeconds }, shutdown);
  if (!(await isMigrated(database)) || !(await stats.isMigrated())) {
    throw new StartError(
      `The stores have the schema of another version. Start the product, or run ${commandLine("operate:migrate")}.`,
    );
  }
  return {
    isRunning,
    folder: isSplit ? null : paths,
    logFile: isSplit || given.kafkaBrokers !== undefined ? null : paths.eventLog,
    database,
    stats,
    eventRetentionDays: (await stats.eventRetentionDays()) ?? given.eventRetentionDays,
    ...openFiles(given, paths, isSplit, shutdown),
  };
}

/** Locks the folder until this process ends. False if a running product holds it. */
function takeFolder(folder: string, shutdown: Shutdown): boolean {
  if (!existsSync(folder)) throw new StartError(`There is no installation in ${folder} (DATA_DIR).`);
  const lock = lockFolder(folder);
  if (lock === null) return false;
  shutdown.onRelease("the data folder", () => lock.release());
  return true;
}

async function postgresIn(
  { postgres }: DataPaths,
  isRunning: boolean,
  logger: Logger,
  shutdown: Shutdown,
): Promise<string> {
  if (isRunning) return orNotYet(await findRunningPostgres(postgres), postgres);
  refuseMissing("The database", postgres);
  const started = await startEmbeddedPostgres({ dataDir: postgres, logger });
  shutdown.onRelease("Postgres", () => started.close(), 6_000);
  return started.url;
}

async function clickHouseIn(
  { clickhouse }: DataPaths,
  isRunning: boolean,
  logger: Logger,
  shutdown: Shutdown,
) {
  if (isRunning) return orNotYet(await findRunningClickHouse(clickhouse), clickhouse);
  refuseMissing("ClickHouse", clickhouse);
  const started = await using(`ClickHouse in ${clickhouse}`, () =>
    startEmbeddedClickHouse({ dataDir: clickhouse, logger }),
  );
  shutdown.onRelease("ClickHouse", () => started.close(), 6_000);
  return started;
}

function orNotYet<T>(access: T | null, path: string): T {
  if (access !== null) return access;
  throw new StartError(
    `The product is starting or stopping, so ${path} does not answer. Try again in a moment.`,
  );
}

function refuseMissing(store: string, path: string): void {
  if (!existsSync(path)) throw new StartError(`${store} in ${path} is missing.`);
}

/** The files of the bucket, and those in a folder from before there was a bucket. */
function openFiles(
  given: VerificationSettings,
  paths: DataPaths,
  isSplit: boolean,
  shutdown: Shutdown,
): Pick<OpenInstallation, "files" | "hasBucket"> {
  const bucket = chooseBucket(given, new URL(given.publicUrl ?? "http://localhost"));
  const older = filesBelow(paths.uploads);
  if (bucket === null) {
    if (isSplit) throw new StartError("Say where the uploads are: S3_BUCKET, or DATA_DIR.");
    return { files: older, hasBucket: false };
  }
  const store = createS3Uploads({ ...bucket, maxBytes: given.uploadMaxBytes });
  shutdown.onRelease("uploads", () => store.close());
  const files: OpenInstallation["files"] = {
    find: async (key) => (await store.find(key)) ?? (await older.find(key)),
    async *keys() {
      yield* store.keys();
      yield* older.keys();
    },
  };
  return { files, hasBucket: true };
}
