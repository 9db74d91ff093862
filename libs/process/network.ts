import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { StartError } from "./start-error.ts";

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the certificate and key for TLS in this process; undefined when a proxy terminates TLS. Throws `StartError`. */
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

/** The host of a URL for this process: loopback for a wildcard address, and IPv6 in brackets. */
export function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Throws `StartError` when keys and passwords would cross the network unencrypted, unless that is allowed. */
export function refusePlainHttp(publicUrl: URL, isLocal: boolean, isAllowed: boolean): void {
  if (publicUrl.protocol !== "http:" || isLocal || isAllowed) return;
  throw new StartError(
    "Keys and passwords would cross the network unencrypted: give an https PUBLIC_URL, or set ALLOW_PLAIN_HTTP=true.",
  );
}

/** The public origin of a service, which may be a proxy's. Throws `StartError` as `refusePlainHttp` does. */
export function readPublicUrl(settings: {
  readonly publicUrl: string;
  readonly allowPlainHttp: boolean;
}): URL {
  const publicUrl = new URL(settings.publicUrl);
  refusePlainHttp(publicUrl, isLoopback(publicUrl.hostname), settings.allowPlainHttp);
  return publicUrl;
}

/** Whether the host, with or without brackets, is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
