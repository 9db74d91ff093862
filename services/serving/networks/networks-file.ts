import {
  type ListFileState,
  openWatchedFile,
  type WatchedFile,
  type WatchedFileSource,
} from "#libs/files/index.ts";
import { readNetworks } from "./network-list.ts";
import { createNetworkTable, type Networks } from "./network-table.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** A list of networks in a file, read again when the file has changed. */
export interface NetworksFile extends Networks, Pick<WatchedFile<unknown>, "close"> {
  state(): ListFileState;
}

/**
 * Opens a list of networks (`readNetworks`) of at most 4 MiB. A list that cannot be used is warned of once, and the last good one
 * stays. Rejects when there is no good one to begin with.
 */
export async function openNetworksFile(source: WatchedFileSource): Promise<NetworksFile> {
  const list = await openWatchedFile({ ...source, maxBytes: MAX_BYTES, read: readList });
  return {
    has: (address) => list.content().table.has(address),
    state: () => ({ entries: list.content().count, ...list.state() }),
    close: () => list.close(),
  };
}

async function readList(bytes: Buffer): Promise<{ readonly table: Networks; readonly count: number }> {
  const networks = await readNetworks(bytes.toString());
  return { table: await createNetworkTable(networks), count: networks.length };
}
