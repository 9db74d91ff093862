import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import { using } from "#libs/process/index.ts";
import { type Networks, NO_NETWORKS } from "../networks/network-table.ts";
import { type NetworksFileState, openNetworksFile } from "../networks/networks-file.ts";
import { registerFileMetrics, registerGauge } from "./operator-file-metrics.ts";

const SETTING = "BLOCKED_NETWORKS_FILE";
const METRIC = "placard_blocked_networks";

/** Opens the networks that the operator blocks. Throws `StartError` when their file is no list of networks. */
export async function openBlockedNetworks(
  { blockedNetworksFile: file }: { readonly blockedNetworksFile: string | undefined },
  registry: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Networks> {
  if (file === undefined) return NO_NETWORKS;
  const onWarning = (message: string) => logger.warn(message);
  const networks = await using(SETTING, () => openNetworksFile({ file, onWarning }));
  shutdown.onRelease("the blocked networks", () => networks.close());
  registerNetworkMetrics(registry, () => networks.state());
  return networks;
}

/** Registers metrics of the list, read at each scrape. */
export function registerNetworkMetrics(registry: Registry, read: () => NetworksFileState): void {
  registerGauge(registry, {
    name: METRIC,
    help: "Networks whose events do not count",
    aggregator: "min",
    value: () => read().networks,
  });
  const what = "the list of blocked networks";
  registerFileMetrics(registry, { setting: SETTING, metric: METRIC, what, read });
}
