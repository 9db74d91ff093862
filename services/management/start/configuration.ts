import {
  type ConfigOf,
  mailSettings,
  managementSettings,
  paymentSettings,
  processSettings,
  readConfig,
  uploadSettings,
} from "#libs/config/index.ts";
import { readPublicUrl, readTls, StartError, type Tls } from "#libs/process/index.ts";
import { type Bucket, chooseBucket } from "./bucket.ts";
import { chooseProcessor, type StripeAccess } from "./processor.ts";
import { chooseSender } from "./sender.ts";

export const managementServiceSettings = {
  ...managementSettings,
  ...uploadSettings,
  ...paymentSettings,
  ...mailSettings,
  logLevel: processSettings.logLevel,
};

export interface ManagementConfiguration
  extends Omit<ConfigOf<typeof managementServiceSettings>, "publicUrl" | "mailFrom"> {
  readonly publicUrl: URL;
  readonly mailFrom: string;
  /** Null for the sandbox. */
  readonly stripe: StripeAccess | null;
  readonly bucket: Bucket;
  readonly tls: Tls | undefined;
}

/** Reads what management by itself is told. Throws `ConfigError` and `StartError`, with sentences for people. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ManagementConfiguration {
  const settings = readConfig(managementServiceSettings, environment);
  const publicUrl = readPublicUrl(settings);
  const bucket = chooseBucket(settings, publicUrl);
  if (bucket === null) {
    throw new StartError(
      "Uploads need a bucket: set S3_BUCKET. Files on a disk are for an installation that is one process.",
    );
  }
  return {
    ...settings,
    publicUrl,
    bucket,
    tls: readTls(settings),
    mailFrom: chooseSender(settings),
    // The address it listens on says nothing of who reaches it, so a sandbox has to be asked for.
    stripe: chooseProcessor(settings, false),
  };
}
