import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import type { WatchedFileSource } from "#libs/files/index.ts";
import { using } from "#libs/process/index.ts";
import { openCountriesFile } from "../countries/countries-file.ts";
import { type Countries, NO_COUNTRIES } from "../countries/country-table.ts";
import { type Networks, NO_NETWORKS } from "../networks/network-table.ts";
import { openNetworksFile } from "../networks/networks-file.ts";
import { openUserAgentList, readBrowsers, readRobots } from "../verdict/user-agent-lists.ts";
import { createUserAgents, type UserAgents } from "../verdict/user-agents.ts";
import { type OperatorFileState, registerFileMetrics } from "./operator-file-metrics.ts";

/** The files' paths; undefined for none. */
export interface OperatorFileSettings {
  readonly blockedNetworksFile: string | undefined;
  readonly geoipFile: string | undefined;
  readonly browsersFile: string | undefined;
  readonly robotsFile: string | undefined;
}

/** What the operator's files say, as they are now. */
export interface OperatorFiles {
  /** Blocks nobody without a file. */
  readonly blocked: Networks;
  /** Knows no country without a file. */
  readonly countries: Countries;
  /** Without files these go by what Placard itself knows. */
  readonly userAgents: UserAgents;
}

interface OpenedFile {
  state(): OperatorFileState;
  close(): void;
}

/**
 * Opens the files that the operator may change while the process runs, until `shutdown`. Rejects with a `StartError` that names the
 * setting when one cannot be used.
 */
export async function openOperatorFiles(
  settings: OperatorFileSettings,
  registry: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<OperatorFiles> {
  const states = new Map<string, () => OperatorFileState>();
  const onWarning = (message: string) => logger.warn(message);

  async function open<File extends OpenedFile>(
    setting: string,
    file: string | undefined,
    openFile: (source: WatchedFileSource) => Promise<File>,
  ): Promise<File | undefined> {
    if (file === undefined) return undefined;
    const opened = await using(setting, () => openFile({ file, setting, onWarning }));
    shutdown.onRelease(`the file of ${setting}`, () => opened.close());
    states.set(setting, () => opened.state());
    return opened;
  }

  registerFileMetrics(registry, states);
  const userAgents = createUserAgents();
  await open("BROWSERS_FILE", settings.browsersFile, (source) =>
    openUserAgentList(source, readBrowsers, (browsers) => userAgents.use({ browsers })),
  );
  await open("ROBOTS_FILE", settings.robotsFile, (source) =>
    openUserAgentList(source, readRobots, (robots) => userAgents.use({ robots })),
  );
  return {
    blocked:
      (await open("BLOCKED_NETWORKS_FILE", settings.blockedNetworksFile, openNetworksFile)) ?? NO_NETWORKS,
    countries: (await open("GEOIP_FILE", settings.geoipFile, openCountriesFile)) ?? NO_COUNTRIES,
    userAgents,
  };
}
