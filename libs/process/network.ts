import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { isLoopback } from "./loopback.ts";
import { StartError } from "./start-error.ts";

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads what ends TLS in this process; undefined where a proxy does. Throws `StartError`. */
export function readTls(files: {
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
}): Tls | undefined {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile } = files;
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

/** Throws `StartError` where callers from elsewhere would send keys and passwords in the open, unless that is meant. */
export function refusePlainHttp(publicUrl: URL, isLocal: boolean, isAllowed: boolean): void {
  if (publicUrl.protocol !== "http:" || isLocal || isAllowed) return;
  throw new StartError(
    "Keys and passwords would cross the network unencrypted: give an https PUBLIC_URL, or set ALLOW_PLAIN_HTTP=true.",
  );
}

/** The origin of a service behind a proxy: what counts is how the proxy is reached. Throws `StartError`. */
export function readPublicUrl(settings: {
  readonly publicUrl: string;
  readonly allowPlainHttp: boolean;
}): URL {
  const publicUrl = new URL(settings.publicUrl);
  refusePlainHttp(publicUrl, isLoopback(publicUrl.hostname), settings.allowPlainHttp);
  return publicUrl;
}
