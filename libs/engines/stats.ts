import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import type { ConfigOf, clickhouseServerSettings } from "#libs/config/index.ts";
import { commandLine, isLoopback, StartError } from "#libs/process/index.ts";
import { createStatsStore, type StatsStore } from "#libs/stats-store/index.ts";
import { eventually } from "./eventually.ts";

export interface StatsSettings extends ConfigOf<typeof clickhouseServerSettings> {
  readonly clickhouseDatabase: string;
  readonly eventRetentionDays: number;
  readonly splitRetentionDays: number;
}

/** Opens the stats store on the ClickHouse at `access.url`, which need not respond yet. Throws for an unreadable CA file. */
export function openStats(
  access: { readonly url: string; readonly username: string; readonly password: string },
  settings: StatsSettings,
  shutdown: Shutdown,
): StatsStore {
  const stats = createStatsStore({
    url: access.url,
    username: access.username,
    password: access.password,
    database: settings.clickhouseDatabase,
    eventRetentionDays: settings.eventRetentionDays,
    splitRetentionDays: settings.splitRetentionDays,
    cluster: settings.clickhouseCluster ?? null,
    replicated: settings.clickhouseReplicated,
    insertQuorum: settings.clickhouseInsertQuorum,
    deduplicationWindow: settings.clickhouseDeduplicationWindow,
    requestTimeoutMs: settings.clickhouseTimeoutSeconds * 1000,
    ...(settings.clickhouseCaFile !== undefined && { caFile: settings.clickhouseCaFile }),
  });
  shutdown.onRelease("the stats store", () => stats.close());
  return stats;
}

/** URL and login of ClickHouse from the settings. Throws `StartError` for a password that would be sent unencrypted. */
export function clickhouseAccess(settings: {
  readonly clickhouseUrl: string;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string;
  readonly allowPlainLogins: boolean;
}) {
  const { protocol, hostname } = new URL(settings.clickhouseUrl);
  const isReadable = protocol === "http:" && !isLoopback(hostname);
  if (isReadable && settings.clickhousePassword !== "" && !settings.allowPlainLogins) {
    throw new StartError(
      "CLICKHOUSE_URL with http sends CLICKHOUSE_PASSWORD unencrypted. Use https, or set ALLOW_PLAIN_LOGINS=true for a private network.",
    );
  }
  return {
    url: settings.clickhouseUrl,
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
  };
}

/** Migrates the schema in the background, as soon as ClickHouse responds. */
export function migrateStats(stats: StatsStore, logger: Logger, shutdown: Shutdown): void {
  const migrated = async () => {
    await stats.migrate();
    await reportBrokenParts(stats, logger);
    return true;
  };
  void eventually(migrated, "ClickHouse, to bring its schema up to date", logger, shutdown);
}

/** Logs every part that ClickHouse could not read at its start. Their rows are missing from the counts. */
export async function reportBrokenParts(
  stats: StatsStore,
  logger: Pick<Logger, "error" | "warn">,
): Promise<void> {
  for (const { table, name, isReplaced } of await stats.brokenParts()) {
    if (isReplaced)
      logger.warn({ table, part: name }, "ClickHouse replaced a damaged part by those it was made of.");
    else
      logger.error(
        { table, part: name },
        "ClickHouse put a damaged part aside; its events are missing from the counts.",
      );
  }
}

/** Waits until management, or `npm run operate:migrate`, has migrated the schema to this program's version. */
export async function untilStatsMigrated(
  stats: StatsStore,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  await eventually(
    () => stats.isMigrated(),
    `the schema in ClickHouse: start management, or ${commandLine("operate:migrate")}`,
    logger,
    shutdown,
  );
}
