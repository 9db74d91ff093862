import {
  clickhouseSettings,
  databaseSettings,
  neededDatabaseUrl,
  processSettings,
  readConfig,
} from "#libs/config/index.ts";
import { migrate } from "#libs/database/index.ts";
import { clickhouseAccess, openPostgres, openStats } from "#libs/engines/index.ts";
import { runCommand, using } from "#libs/process/index.ts";

/** Brings both schemas to what this program needs, before any process of it is started: a rolling upgrade's first step. */
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
