// The environment, read only here
export { processEnvironment } from "./environment.ts";

// How settings are declared and read
export {
  ConfigError,
  type ConfigOf,
  readConfig,
  type Setting,
  type SettingGroup,
  secret,
  setting,
} from "./setting.ts";
export {
  accountSettings,
  mailSettings,
  networkSettings,
  processSettings,
  type SignUp,
  storageSettings,
  uploadSettings,
} from "./settings.ts";
// Which settings there are
export { clickhouseServerSettings } from "./settings-clickhouse.ts";
export { kafkaSettings, spillSettings } from "./settings-kafka.ts";
export { limitSettings } from "./settings-limits.ts";
export { paymentSettings } from "./settings-payments.ts";
export {
  clickhouseSettings,
  databaseSettings,
  ingestionSettings,
  managementSettings,
  neededDatabaseUrl,
  neededRedisUrl,
  retentionSettings,
  secretSettings,
  servingSettings,
} from "./settings-services.ts";
