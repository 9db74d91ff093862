import {
  type ConfigOf,
  processSettings,
  readConfig,
  servingSettings,
  spillSettings,
} from "#libs/config/index.ts";
import { readPublicUrl, readTls, type Tls } from "#libs/process/index.ts";

export const servingServiceSettings = {
  ...servingSettings,
  ...spillSettings,
  logLevel: processSettings.logLevel,
  slowRequestMs: processSettings.slowRequestMs,
};

export interface ServingConfiguration extends Omit<ConfigOf<typeof servingServiceSettings>, "publicUrl"> {
  readonly publicUrl: URL;
  readonly tls: Tls | undefined;
}

/** Throws `ConfigError` and `StartError`, with sentences for people. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ServingConfiguration {
  const settings = readConfig(servingServiceSettings, environment);
  return {
    ...settings,
    publicUrl: readPublicUrl(settings),
    tls: readTls(settings),
  };
}
