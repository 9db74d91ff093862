import { readFile, stat } from "node:fs/promises";
import type { Warn } from "#libs/async/index.ts";
import { NetworkListError, readNetworks } from "./network-list.ts";
import { createNetworkTable, type Networks } from "./network-table.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const CHECK_EVERY_MS = 2_000;

export interface NetworksFileOptions {
  readonly file: string;
  readonly onWarning: Warn;
  /** Milliseconds between two looks at the file. Default 2,000. */
  readonly checkEveryMs?: number;
}

/** For metrics. */
export interface NetworksFileState {
  /** Networks in the list that is used. */
  readonly networks: number;
  /** When the list that is used was written, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Whether the list that is used is the file as it is now. */
  readonly isCurrent: boolean;
  /** How many times the file could not be read, or was no list, since the start. */
  readonly failures: number;
}

/** A list of networks in a file, read again when the file has changed. */
export interface NetworksFile extends Networks {
  state(): NetworksFileState;
  /** Stops looking at the file. */
  close(): void;
}

/**
 * Opens a list of networks (`readNetworks`) of at most 4 MiB. From time to time it looks at the path, so it finds a file that
 * was written in place, replaced by another, or is behind a link that leads elsewhere now. It reads the file when two looks in
 * a row see the same: one that is being written in place is half a list. A list that cannot be used is warned of once, and
 * the last good one stays. Rejects when there is no good one to begin with.
 */
export async function openNetworksFile(options: NetworksFileOptions): Promise<NetworksFile> {
  const { file, onWarning, checkEveryMs = CHECK_EVERY_MS } = options;
  let used = await load(file, await lookAt(file));
  let isCurrent = true;
  let failures = 0;
  let problem: string | undefined;
  /** The version that is no list: it is not read again. */
  let refused: string | undefined;
  let isClosed = false;
  let lastSeen = used.seen.version;

  async function check(): Promise<void> {
    let seen: Seen | undefined;
    try {
      seen = await lookAt(file);
      const isSettled = seen.version === lastSeen;
      lastSeen = seen.version;
      if (!isSettled || seen.version === refused) return;
      if (seen.version !== used.seen.version) used = await load(file, seen);
      isCurrent = true;
      problem = undefined;
      refused = undefined;
    } catch (error) {
      isCurrent = false;
      failures += 1;
      if (error instanceof NetworkListError) refused = seen?.version;
      const message = error instanceof Error ? error.message : String(error);
      if (message === problem) return;
      problem = message;
      onWarning(
        `BLOCKED_NETWORKS_FILE cannot be used: ${message}. The last good list with ${used.count} networks stays in use.`,
      );
    }
  }

  const schedule = () => setTimeout(() => void check().then(again), checkEveryMs).unref();
  let timer = schedule();
  function again(): void {
    if (!isClosed) timer = schedule();
  }

  return {
    has: (address) => used.table.has(address),
    state: () => ({ networks: used.count, modifiedAt: used.seen.modifiedAt, isCurrent, failures }),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** A file at a path, as it was seen at one time. */
interface Seen {
  /** Differs when the file was written to, or is another. */
  readonly version: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

async function lookAt(file: string): Promise<Seen> {
  const found = await stat(file);
  // Reading a pipe would wait for ever.
  if (!found.isFile()) throw new Error("it is not a file");
  const { dev, ino, size, mtimeMs, ctimeMs } = found;
  return { version: [dev, ino, size, mtimeMs, ctimeMs].join(), bytes: size, modifiedAt: mtimeMs };
}

interface Loaded {
  readonly seen: Seen;
  readonly table: Networks;
  readonly count: number;
}

/** A file that is written to meanwhile has another version than `seen` at the next look, and is then read again. */
async function load(file: string, seen: Seen): Promise<Loaded> {
  if (seen.bytes > MAX_BYTES) throw new NetworkListError("it is larger than 4 MiB");
  const networks = await readNetworks(await readFile(file, "utf8"));
  return { seen, table: await createNetworkTable(networks), count: networks.length };
}
