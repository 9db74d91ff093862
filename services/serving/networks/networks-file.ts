import type { Warn } from "#libs/async/index.ts";
import { openWatchedFile, type WatchedFile, type WatchedFileState } from "#libs/files/index.ts";
import { readNetworks } from "./network-list.ts";
import { createNetworkTable, type Networks } from "./network-table.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export interface NetworksFileOptions {
  readonly file: string;
  readonly onWarning: Warn;
  /** Milliseconds between two looks at the file. Default 2,000. */
  readonly checkEveryMs?: number;
}

/** For metrics. */
export interface NetworksFileState extends WatchedFileState {
  /** Networks in the list that is used. */
  readonly networks: number;
}

/** A list of networks in a file, read again when the file has changed. */
export interface NetworksFile extends Networks, Pick<WatchedFile<unknown>, "close"> {
  state(): NetworksFileState;
}

/**
 * Opens a list of networks (`readNetworks`) of at most 4 MiB. A list that cannot be used is warned of once, and the last good one
 * stays. Rejects when there is no good one to begin with.
 */
export async function openNetworksFile({
  onWarning,
  ...options
}: NetworksFileOptions): Promise<NetworksFile> {
  const list = await openWatchedFile({
    ...options,
    maxBytes: MAX_BYTES,
    read: readList,
    onProblem: (reason, { count }) =>
      onWarning(
        `BLOCKED_NETWORKS_FILE cannot be used: ${reason}. The last good list with ${count} networks stays in use.`,
      ),
  });
  return {
    has: (address) => list.content().table.has(address),
    state: () => ({ networks: list.content().count, ...list.state() }),
    close: () => list.close(),
  };
}

async function readList(bytes: Buffer): Promise<{ readonly table: Networks; readonly count: number }> {
  const networks = await readNetworks(bytes.toString());
  return { table: await createNetworkTable(networks), count: networks.length };
}
