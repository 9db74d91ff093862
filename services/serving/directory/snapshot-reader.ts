import { createThrottledWarning, type Warn, within } from "#libs/async/index.ts";
import { unavailable } from "#libs/http/index.ts";
import type { Placements, Snapshot, SnapshotSource } from "#libs/placements/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";

const ANSWERS_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
const REREADS = 3;
const FAILURES = {
  store: "The store of snapshots cannot be used; known snapshots are still served.",
  source: "Snapshots cannot be loaded from the database.",
};

export interface SnapshotReaderOptions {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
}

export interface SnapshotReader {
  /**
   * The snapshot from the store, or else from the source, which is then published; null for an unknown workspace. One
   * older than `publishedVersion()` is read again.
   */
  read(workspaceId: string, publishedVersion: () => number): Promise<Snapshot | null>;
  /** Publishes the source's snapshot, for a store with an older one than the cache. */
  restore(workspaceId: string): Promise<Snapshot | null>;
  /** The workspaces of ads, by ad: from the store, or else from the source. Unknown ads are absent. */
  workspacesOfAds(adIds: readonly string[]): Promise<AdsRead>;
  /** The newest versions: from the store, or from the source while the store is away. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
}

export interface AdsRead {
  readonly workspaces: ReadonlyMap<string, string>;
  /** Why the ads that the store lacks could not be read; null if they were. */
  readonly failure: unknown;
}

/** Reads from the store and its source, for at most 5 seconds each; then throws `SERVICE_UNAVAILABLE`. */
export function createSnapshotReader(options: SnapshotReaderOptions): SnapshotReader {
  const { placements, source, metrics, onWarning } = options;
  const warn = createThrottledWarning(onWarning);

  async function ask<Answer>(from: "store" | "source", question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await within(ANSWERS_WITHIN_MS, `the ${from} of snapshots`, question());
    } catch (error) {
      metrics.snapshotFailures.inc({ from });
      warn(FAILURES[from], error);
      throw unavailable(RETRY_AFTER_MS, { cause: error });
    }
  }

  /** Null if the store has none or is away. */
  function readStore(workspaceId: string): Promise<Snapshot | null> {
    return ask("store", () => placements.read(workspaceId)).catch(() => null);
  }

  async function readSource(workspaceId: string): Promise<Snapshot | null> {
    const snapshot = await ask("source", () => source.loadSnapshot(workspaceId));
    // While the store is away, every process loads for itself.
    if (snapshot !== null) await ask("store", () => placements.publish(snapshot)).catch(() => false);
    return snapshot;
  }

  return {
    async read(workspaceId, publishedVersion) {
      let snapshot = (await readStore(workspaceId)) ?? (await readSource(workspaceId));
      for (
        let reread = 0;
        snapshot !== null && snapshot.version < publishedVersion() && reread < REREADS;
        reread += 1
      ) {
        snapshot = (await readStore(workspaceId)) ?? snapshot;
      }
      return snapshot;
    },
    restore: readSource,
    async workspacesOfAds(adIds) {
      const stored = await ask("store", () => placements.workspacesOfAds(adIds)).catch(() => undefined);
      const missing = adIds.filter((adId) => stored?.has(adId) !== true);
      if (missing.length === 0) return { workspaces: stored ?? new Map(), failure: null };
      let loaded: Map<string, string>;
      try {
        loaded = await ask("source", () => source.workspacesOfAds(missing));
      } catch (failure) {
        return { workspaces: stored ?? new Map(), failure };
      }
      if (stored === undefined) return { workspaces: loaded, failure: null };
      // Redis may evict single keys.
      const restored = [...loaded].map(([adId, workspaceId]) => placements.rememberAd(adId, workspaceId));
      await ask("store", () => Promise.all(restored)).catch(() => undefined);
      return { workspaces: new Map([...stored, ...loaded]), failure: null };
    },
    versions: (workspaceIds) =>
      ask("store", () => placements.versions(workspaceIds)).catch(() =>
        ask("source", () => source.versions(workspaceIds)),
      ),
  };
}
