import { type ConfigOf, ingestionSettings, processSettings, readConfig } from "#libs/config/index.ts";

export const ingestionServiceSettings = {
  ...ingestionSettings,
  logLevel: processSettings.logLevel,
};

export type IngestionConfiguration = ConfigOf<typeof ingestionServiceSettings>;

/** Reads the settings. Throws `ConfigError` with a sentence for each invalid one. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): IngestionConfiguration {
  return readConfig(ingestionServiceSettings, environment);
}
