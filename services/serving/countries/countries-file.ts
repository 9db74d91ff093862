import type { Warn } from "#libs/async/index.ts";
import { openWatchedFile, type WatchedFile } from "#libs/files/index.ts";
import { type Countries, readCountries } from "./country-table.ts";

const MAX_BYTES = 512 * 1024 * 1024;

export interface CountriesFileOptions {
  readonly file: string;
  readonly onWarning: Warn;
  /** Milliseconds between two looks at the file. Default 2,000. */
  readonly checkEveryMs?: number;
}

/** The countries of addresses by a file, read again when the file has changed. */
export interface CountriesFile extends Countries, Pick<WatchedFile<unknown>, "state" | "close"> {}

/**
 * Opens a file of countries (`readCountries`) of at most 512 MiB. A file that cannot be used is warned of once, and the last good
 * one stays. Rejects when there is no good one to begin with.
 */
export async function openCountriesFile({
  onWarning,
  ...options
}: CountriesFileOptions): Promise<CountriesFile> {
  const file = await openWatchedFile({
    ...options,
    maxBytes: MAX_BYTES,
    read: readCountries,
    onProblem: (reason) =>
      onWarning(`GEOIP_FILE cannot be used: ${reason}. The last good file stays in use.`),
  });
  return {
    of: (address) => file.content().of(address),
    state: () => file.state(),
    close: () => file.close(),
  };
}
