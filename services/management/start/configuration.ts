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

export const managementServiceSettings = {
  ...managementSettings,
  ...uploadSettings,
  ...paymentSettings,
  ...mailSettings,
  logLevel: processSettings.logLevel,
  slowRequestMs: processSettings.slowRequestMs,
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

/** Reads the settings of management as a service of its own. Throws `ConfigError` and `StartError` with readable sentences. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ManagementConfiguration {
  const settings = readConfig(managementServiceSettings, environment);
  const publicUrl = readPublicUrl(settings);
  const bucket = chooseBucket(settings, publicUrl);
  if (bucket === null) {
    throw new StartError(
      "Uploads need a bucket: set S3_BUCKET. Only a single process can keep them on its disk.",
    );
  }
  return {
    ...settings,
    publicUrl,
    bucket,
    tls: readTls(settings),
    mailFrom: chooseSender(settings),
    // Others may reach the address it listens on, so a sandbox must be chosen by name.
    stripe: chooseProcessor(settings, false),
  };
}

/** The sender of emails. Throws `StartError` for a mail server without one, because it would refuse every email for good. */
export function chooseSender(settings: {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}): string {
  if (settings.smtpUrl !== undefined && settings.mailFrom === undefined) {
    throw new StartError("Emails need a sender: set MAIL_FROM beside SMTP_URL.");
  }
  return settings.mailFrom ?? "Placard <placard@localhost>";
}
