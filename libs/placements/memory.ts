import { LRUCache } from "lru-cache";
import type { Placements, Sighting, Snapshot } from "./port.ts";
import { snapshotLength } from "./snapshot-length.ts";

/** Ads, and workspaces, whose workspace or version is known. */
const MOST_KNOWN = 500_000;
const LENGTH_AROUND_A_SNAPSHOT = 2_000;

export interface MemoryPlacementsOptions {
  /**
   * Characters of snapshots at most, as JSON; the least recently read is dropped, and loaded again when needed. Its version stays
   * known. Default 64 Mi.
   */
  readonly maxLength?: number;
}

/** The store of an installation of a single process. Nothing survives the process. */
export function createMemoryPlacements(options: MemoryPlacementsOptions = {}): Placements {
  const snapshots = new LRUCache<string, Snapshot>({
    maxSize: options.maxLength ?? 64 * 1024 * 1024,
    sizeCalculation: (snapshot) => LENGTH_AROUND_A_SNAPSHOT + snapshotLength(snapshot),
  });
  // By size, because `max` would allocate room for all of them at each start.
  const ofMany = { maxSize: MOST_KNOWN, sizeCalculation: () => 1 };
  const versions = new LRUCache<string, number>(ofMany);
  const workspaceOfAd = new LRUCache<string, string>(ofMany);
  const subscribers = new Set<(workspaceId: string, version: number) => void>();
  const witnesses = new Set<(sighting: Sighting) => void>();

  return {
    async publish(snapshot) {
      if ((versions.get(snapshot.workspaceId) ?? 0) > snapshot.version) return false;
      versions.set(snapshot.workspaceId, snapshot.version);
      snapshots.set(snapshot.workspaceId, snapshot);
      for (const { id } of snapshot.ads) workspaceOfAd.set(id, snapshot.workspaceId);
      for (const tell of subscribers) tell(snapshot.workspaceId, snapshot.version);
      return true;
    },
    async read(workspaceId) {
      return snapshots.get(workspaceId) ?? null;
    },
    async workspacesOfAds(adIds) {
      return knownOf(adIds, (adId) => workspaceOfAd.get(adId));
    },
    async rememberAd(adId, workspaceId) {
      workspaceOfAd.set(adId, workspaceId);
    },
    subscribe(onPublished) {
      // Wrapped, so that one function may subscribe twice and unsubscribe once.
      const tell = (workspaceId: string, version: number) => onPublished(workspaceId, version);
      subscribers.add(tell);
      return () => subscribers.delete(tell);
    },
    noteSeen(sighting) {
      for (const tell of witnesses) tell(sighting);
    },
    onSeen(onSighting) {
      const tell = (sighting: Sighting) => onSighting(sighting);
      witnesses.add(tell);
      return () => witnesses.delete(tell);
    },
    async versions(workspaceIds) {
      return knownOf(workspaceIds, (workspaceId) => versions.peek(workspaceId));
    },
    async close() {
      subscribers.clear();
      witnesses.clear();
      snapshots.clear();
      versions.clear();
      workspaceOfAd.clear();
    },
  };
}

/** What is known of each id; others are absent. */
function knownOf<Value>(ids: readonly string[], find: (id: string) => Value | undefined): Map<string, Value> {
  const known = new Map<string, Value>();
  for (const id of ids) {
    const value = find(id);
    if (value !== undefined) known.set(id, value);
  }
  return known;
}
