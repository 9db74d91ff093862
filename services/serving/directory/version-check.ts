import type { ServingMetrics } from "../answers/metrics.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

const CHECK_EVERY_MS = 2_000;
const CHECKED_AT_ONCE = 500;

export interface VersionCheckOptions {
  readonly snapshots: Pick<SnapshotCache, "workspaceIds" | "version">;
  readonly reader: Pick<SnapshotReader, "versions">;
  readonly metrics: Pick<ServingMetrics, "snapshotsStale" | "snapshotsConfirmed">;
  /** Loads a snapshot of which the store has a newer version, or none. */
  readonly load: (workspaceId: string) => Promise<unknown>;
  /** Takes over the older version that the store has in place of `cached`. */
  readonly restore: (workspaceId: string, cached: number) => Promise<unknown>;
  /** Milliseconds. Default 2,000. */
  readonly checkEveryMs?: number;
}

export interface VersionCheck {
  close(): void;
}

/** Compares the cached versions with the store's from time to time, which makes up for lost messages. One comparison runs at a time. */
export function checkVersions(options: VersionCheckOptions): VersionCheck {
  const { snapshots, metrics } = options;
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      const cached = snapshots.workspaceIds();
      for (let first = 0; first < cached.length; first += CHECKED_AT_ONCE) {
        await checkSome(options, cached.slice(first, first + CHECKED_AT_ONCE));
      }
      metrics.snapshotsStale.set(0);
      metrics.snapshotsConfirmed.setToCurrentTime();
    } catch {
      metrics.snapshotsStale.set(1);
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(() => void check(), options.checkEveryMs ?? CHECK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

async function checkSome(
  { snapshots, reader, load, restore }: VersionCheckOptions,
  workspaceIds: readonly string[],
): Promise<void> {
  const versions = await reader.versions(workspaceIds);
  for (const workspaceId of workspaceIds) {
    // A store that lost the snapshot names no version: loading reads it from the source and publishes it again.
    const stored = versions.get(workspaceId) ?? Number.POSITIVE_INFINITY;
    const cached = snapshots.version(workspaceId) ?? stored;
    if (cached < stored) await load(workspaceId);
    else if (cached > stored) await restore(workspaceId, cached);
  }
}
