// Postgres
export { type DatabaseSettings, openPostgres, untilMigrated } from "./database.ts";

// Kafka
export { type KafkaSettings, openKafka, openSpillingKafka } from "./event-log.ts";

// Redis
export { openSharedJudge, openSharedStores, type SharedStores, VISITORS_WAIT_MS } from "./redis.ts";

// ClickHouse
export {
  clickhouseAccess,
  migrateStats,
  openStats,
  reportBrokenParts,
  type StatsSettings,
  untilStatsMigrated,
} from "./stats.ts";
