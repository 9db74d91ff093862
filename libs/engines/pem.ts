import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartError } from "#libs/process/index.ts";

/** Reads a file with one or more certificates in PEM. Throws a `StartError` that names the setting for other content. */
export function readCertificate(setting: string, file: string): string {
  return read(setting, file, "certificate", (text) => new X509Certificate(text));
}

/** Reads a file with a private key in PEM. Throws a `StartError` that names the setting for other content. */
export function readPrivateKey(setting: string, file: string): string {
  return read(setting, file, "private key", createPrivateKey);
}

function read(setting: string, file: string, what: string, check: (text: string) => unknown): string {
  try {
    const text = readFileSync(file, "utf8");
    check(text);
    return text;
  } catch (cause) {
    throw new StartError(`${setting}: ${file} holds no ${what} in PEM that can be read.`, { cause });
  }
}
