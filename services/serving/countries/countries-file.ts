import { openWatchedFile, type WatchedFile, type WatchedFileSource } from "#libs/files/index.ts";
import { type Countries, readCountries } from "./country-table.ts";

const MAX_BYTES = 512 * 1024 * 1024;

/** The countries of addresses by a file, read again when the file has changed. */
export interface CountriesFile extends Countries, Pick<WatchedFile<unknown>, "state" | "close"> {}

/**
 * Opens a file of countries (`readCountries`) of at most 512 MiB. A file that cannot be used is warned of once, and the last good
 * one stays. Rejects when there is no good one to begin with.
 */
export async function openCountriesFile(source: WatchedFileSource): Promise<CountriesFile> {
  const file = await openWatchedFile({ ...source, maxBytes: MAX_BYTES, read: readCountries });
  return {
    of: (address) => file.content().of(address),
    state: () => file.state(),
    close: () => file.close(),
  };
}
