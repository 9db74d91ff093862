import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import type { WatchedFileState } from "#libs/files/index.ts";
import { using } from "#libs/process/index.ts";
import { openCountriesFile } from "../countries/countries-file.ts";
import { type Countries, NO_COUNTRIES } from "../countries/country-table.ts";
import { registerFileMetrics } from "./operator-file-metrics.ts";

const SETTING = "GEOIP_FILE";

/** Opens the operator's file of countries. Throws `StartError` when it is none. */
export async function openCountries(
  { geoipFile: file }: { readonly geoipFile: string | undefined },
  registry: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Countries> {
  if (file === undefined) return NO_COUNTRIES;
  const onWarning = (message: string) => logger.warn(message);
  const countries = await using(SETTING, () => openCountriesFile({ file, onWarning }));
  shutdown.onRelease("the file of countries", () => countries.close());
  registerCountryMetrics(registry, () => countries.state());
  return countries;
}

/** Registers metrics of the file, read at each scrape. */
export function registerCountryMetrics(registry: Registry, read: () => WatchedFileState): void {
  const what = "the file of countries";
  registerFileMetrics(registry, { setting: SETTING, metric: "placard_geoip", what, read });
}
