import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import {
  type ConfigOf,
  limitSettings,
  mailSettings,
  networkSettings,
  paymentSettings,
  processSettings,
  readConfig,
  storageSettings,
  uploadSettings,
} from "#libs/config/index.ts";
import { type Bucket, chooseBucket } from "./bucket.ts";
import { isLoopback } from "./loopback.ts";
import { chooseProcessor, type StripeAccess } from "./processor.ts";
import { StartError } from "./start-error.ts";

export const standaloneSettings = {
  ...networkSettings,
  ...storageSettings,
  ...uploadSettings,
  ...paymentSettings,
  ...mailSettings,
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
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/**
 * Reads the environment and refuses what would be unsafe without having been asked for. Throws `ConfigError` for bad
 * values and `StartError` for values that do not go together, each with a sentence for people.
 */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const settings = readConfig(standaloneSettings, environment);
  const tls = readTls(settings.tlsCertFile, settings.tlsKeyFile);
  const scheme = tls === undefined ? "http" : "https";
  const publicUrl = new URL(
    settings.publicUrl ?? `${scheme}://${hostForUrl(settings.host)}:${settings.port}`,
  );
  const isLocal = isLoopback(settings.host) && isLoopback(publicUrl.hostname);

  if (publicUrl.protocol === "http:" && !isLocal && !settings.allowPlainHttp) {
    throw new StartError(
      "Keys and passwords would cross the network unencrypted: give an https PUBLIC_URL, or set ALLOW_PLAIN_HTTP=true.",
    );
  }
  return {
    ...settings,
    publicUrl,
    tls,
    mailFrom: chooseSender(settings),
    stripe: chooseProcessor(settings, isLocal),
    bucket: chooseBucket(settings, publicUrl),
  };
}

/** A server would refuse mails from nowhere for good, and each of them would be lost. */
function chooseSender({
  smtpUrl,
  mailFrom,
}: Pick<ConfigOf<typeof standaloneSettings>, "smtpUrl" | "mailFrom">) {
  if (smtpUrl !== undefined && mailFrom === undefined) {
    throw new StartError("Mails need a sender: set MAIL_FROM beside SMTP_URL.");
  }
  return mailFrom ?? "Placard <placard@localhost>";
}

function readTls(certFile: string | undefined, keyFile: string | undefined) {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new StartError("TLS needs both TLS_CERT_FILE and TLS_KEY_FILE.");
  }
  const tls = { cert: readPem(certFile), key: readPem(keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${certFile} and ${keyFile} are no certificate and its key in PEM: ${reason}.`, {
      cause: error,
    });
  }
  return tls;
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`The TLS file ${file} cannot be read.`, { cause: error });
  }
}

/** Every address is reached as loopback from this machine; an IPv6 address goes in brackets. */
export function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
}
