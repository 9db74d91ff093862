// The environment, read here alone
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

// Which settings there are
export {
  limitSettings,
  mailSettings,
  networkSettings,
  paymentSettings,
  processSettings,
  storageSettings,
  uploadSettings,
} from "./settings.ts";
