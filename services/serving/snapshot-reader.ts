import { unavailable, within } from "#libs/http/index.ts";
import type { Placements, Snapshot, SnapshotSource } from "#libs/placements/index.ts";
import { createComplaint, type Warn } from "./complaint.ts";
import type { ServingMetrics } from "./metrics.ts";

const ANSWERS_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
const REREADS = 3;

export interface SnapshotReaderOptions {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
}

export interface SnapshotReader {
  /**
   * The snapshot from the store, else from the source, which is then put into the store; null for an unknown
   * workspace. `announced` gives the newest version heard of meanwhile: an older one is read again.
   */
  read(workspaceId: string, announced: () => number): Promise<Snapshot | null>;
  /** From the source, into the store: where the store has an older one than was known before. */
  restore(workspaceId: string): Promise<Snapshot | null>;
  /** Asks the store, and the source for what the store does not know. */
  workspaceOfAd(adId: string): Promise<string | null>;
  /** The newest versions: those of the store, and of the source while the store cannot be asked. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
}

/** Asks the store and the source, each for 5 seconds at most. What cannot be had is thrown as `SERVICE_UNAVAILABLE`. */
export function createSnapshotReader(options: SnapshotReaderOptions): SnapshotReader {
  const { placements, source, metrics, onWarning } = options;
  const complaints = {
    store: createComplaint(
      onWarning,
      "The store of snapshots cannot be used; what is known goes on being served.",
    ),
    source: createComplaint(onWarning, "Snapshots cannot be loaded from the database."),
  };

  async function ask<Answer>(from: "store" | "source", question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await within(ANSWERS_WITHIN_MS, `the ${from} of snapshots`, question());
    } catch (error) {
      metrics.snapshotFailures.inc({ from });
      complaints[from](error);
      throw unavailable(RETRY_AFTER_MS, { cause: error });
    }
  }

  /** Null where the store has nothing or cannot be asked. */
  function readStore(workspaceId: string): Promise<Snapshot | null> {
    return ask("store", () => placements.read(workspaceId)).catch(() => null);
  }

  async function readSource(workspaceId: string): Promise<Snapshot | null> {
    const snapshot = await ask("source", () => source.loadSnapshot(workspaceId));
    // Without the store every process loads for itself, which works too.
    if (snapshot !== null) await ask("store", () => placements.publish(snapshot)).catch(() => false);
    return snapshot;
  }

  return {
    async read(workspaceId, announced) {
      let snapshot = (await readStore(workspaceId)) ?? (await readSource(workspaceId));
      for (
        let reread = 0;
        snapshot !== null && snapshot.version < announced() && reread < REREADS;
        reread += 1
      ) {
        snapshot = (await readStore(workspaceId)) ?? snapshot;
      }
      return snapshot;
    },
    restore: readSource,
    async workspaceOfAd(adId) {
      const stored = await ask("store", () => placements.workspaceOfAd(adId)).catch(() => undefined);
      if (typeof stored === "string") return stored;
      const found = await ask("source", () => source.workspaceOfAd(adId));
      // Stores lose single keys: some make room by it.
      const isLost = stored === null && found !== null;
      if (isLost) await ask("store", () => placements.rememberAd(adId, found)).catch(() => undefined);
      return found;
    },
    versions: (workspaceIds) =>
      ask("store", () => placements.versions(workspaceIds)).catch(() =>
        ask("source", () => source.versions(workspaceIds)),
      ),
  };
}
