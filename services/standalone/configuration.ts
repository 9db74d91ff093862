import {
  accountSettings,
  type ConfigOf,
  databaseSettings,
  kafkaSettings,
  limitSettings,
  mailSettings,
  networkSettings,
  paymentSettings,
  processSettings,
  readConfig,
  retentionSettings,
  secretSettings,
  spillSettings,
  storageSettings,
  uploadSettings,
} from "#libs/config/index.ts";
import { hostForUrl, isLoopback, readTls, refusePlainHttp, type Tls } from "#libs/process/index.ts";
import { type Bucket, chooseBucket } from "../management/start/bucket.ts";
import { chooseSender } from "../management/start/configuration.ts";
import { chooseProcessor, type StripeAccess } from "../management/start/processor.ts";

export const standaloneSettings = {
  ...networkSettings,
  ...storageSettings,
  ...databaseSettings,
  ...retentionSettings,
  ...secretSettings,
  ...kafkaSettings,
  ...spillSettings,
  ...uploadSettings,
  ...paymentSettings,
  ...mailSettings,
  ...accountSettings,
  ...limitSettings,
  ...processSettings,
};

export interface Configuration extends Omit<ConfigOf<typeof standaloneSettings>, "publicUrl" | "mailFrom"> {
  readonly publicUrl: URL;
  readonly mailFrom: string;
  /** Null for the sandbox. */
  readonly stripe: StripeAccess | null;
  /** Where uploads go; null for the data folder. */
  readonly bucket: Bucket | null;
  readonly tls: Tls | undefined;
}

/**
 * Reads the environment and refuses what would be unsafe without having been asked for. Throws `ConfigError` for bad
 * values and `StartError` for values that do not go together, each with a sentence for people.
 */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const settings = readConfig(standaloneSettings, environment);
  const tls = readTls(settings);
  const scheme = tls === undefined ? "http" : "https";
  const publicUrl = new URL(
    settings.publicUrl ?? `${scheme}://${hostForUrl(settings.host)}:${settings.port}`,
  );
  const isLocal = isLoopback(settings.host) && isLoopback(publicUrl.hostname);

  refusePlainHttp(publicUrl, isLocal, settings.allowPlainHttp);
  return {
    ...settings,
    publicUrl,
    tls,
    mailFrom: chooseSender(settings),
    stripe: chooseProcessor(settings, isLocal),
    bucket: chooseBucket(settings, publicUrl),
  };
}
