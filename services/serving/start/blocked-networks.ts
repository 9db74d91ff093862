import type { Logger } from "pino";
import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";
import type { Shutdown } from "#libs/async/index.ts";
import { using } from "#libs/process/index.ts";
import { type Networks, NO_NETWORKS } from "../networks/network-table.ts";
import { type NetworksFileState, openNetworksFile } from "../networks/networks-file.ts";

/** Opens the networks that the operator blocks. Throws `StartError` when their file is no list of networks. */
export async function openBlockedNetworks(
  { blockedNetworksFile: file }: { readonly blockedNetworksFile: string | undefined },
  registry: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Networks> {
  if (file === undefined) return NO_NETWORKS;
  const onWarning = (message: string) => logger.warn(message);
  const networks = await using("BLOCKED_NETWORKS_FILE", () => openNetworksFile({ file, onWarning }));
  shutdown.onRelease("the blocked networks", () => networks.close());
  registerNetworkMetrics(registry, () => networks.state());
  return networks;
}

/** Registers metrics of the list, read at each scrape. Each process of serving reads the file itself. */
export function registerNetworkMetrics(registry: Registry, read: () => NetworksFileState): void {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    aggregator: Aggregator,
    value: (state: NetworksFileState) => number,
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(value(read()));
      },
    });
  gauge("placard_blocked_networks", "Networks whose events do not count", "min", (state) => state.networks);
  gauge(
    "placard_blocked_networks_modified_timestamp_seconds",
    "When the list of blocked networks that is in use was written",
    "min",
    (state) => state.modifiedAt / 1000,
  );
  gauge(
    "placard_blocked_networks_stale",
    "1 while BLOCKED_NETWORKS_FILE cannot be used and an earlier list is",
    "max",
    (state) => Number(!state.isCurrent),
  );
  let counted = 0;
  new Counter({
    name: "placard_blocked_networks_failures_total",
    help: "Failed reads of BLOCKED_NETWORKS_FILE: missing, unreadable or invalid",
    registers,
    collect() {
      const { failures } = read();
      this.inc(failures - counted);
      counted = failures;
    },
  });
}
