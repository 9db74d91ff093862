import {
  clickhouseSettings,
  databaseSettings,
  neededDatabaseUrl,
  processSettings,
  readConfig,
} from "#libs/config/index.ts";
import { migrate } from "#libs/database/migrate.ts";
import { clickhouseAccess, openPostgres, openStats } from "#libs/engines/index.ts";
import { runCommand, using } from "#libs/process/index.ts";

/** Migrates Postgres and ClickHouse before any process is started: the first step of a rolling upgrade. */
await runCommand({
  name: "The migration",
  readConfiguration: (environment) =>
    readConfig(
      {
        databaseUrl: neededDatabaseUrl,
        ...databaseSettings,
        ...clickhouseSettings,
        logLevel: processSettings.logLevel,
      },
      environment,
    ),
  async run(configuration, logger, shutdown) {
    const database = openPostgres(
      configuration.databaseUrl,
      { ...configuration, usualPoolSize: 2, name: "placard migrate" },
      logger,
      shutdown,
    );
    await migrate(database, { logger });
    const stats = openStats(clickhouseAccess(configuration), configuration, shutdown);
    await using(`ClickHouse at ${new URL(configuration.clickhouseUrl).origin}`, () => stats.migrate());
    return "Both schemas are up to date.";
  },
});
