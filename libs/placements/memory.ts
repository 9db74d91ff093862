import { LRUCache } from "lru-cache";
import type { Placements, Sighting, Snapshot } from "./port.ts";

const MAX_ADS = 500_000;

export interface MemoryPlacementsOptions {
  /** Snapshots at most; the least recently read is dropped, and loaded again when needed. Default 10,000. */
  readonly maxWorkspaces?: number;
}

/** The store of an installation of a single process. Nothing survives the process. */
export function createMemoryPlacements(options: MemoryPlacementsOptions = {}): Placements {
  const snapshots = new LRUCache<string, Snapshot>({ max: options.maxWorkspaces ?? 10_000 });
  // By size, because `max` would allocate room for all of them at each start.
  const workspaceOfAd = new LRUCache<string, string>({ maxSize: MAX_ADS, sizeCalculation: () => 1 });
  const subscribers = new Set<(workspaceId: string, version: number) => void>();
  const witnesses = new Set<(sighting: Sighting) => void>();

  return {
    async publish(snapshot) {
      const stored = snapshots.peek(snapshot.workspaceId);
      if (stored !== undefined && stored.version > snapshot.version) return false;
      snapshots.set(snapshot.workspaceId, snapshot);
      for (const { id } of snapshot.ads) workspaceOfAd.set(id, snapshot.workspaceId);
      for (const tell of subscribers) tell(snapshot.workspaceId, snapshot.version);
      return true;
    },
    async read(workspaceId) {
      return snapshots.get(workspaceId) ?? null;
    },
    async workspaceOfAd(adId) {
      return workspaceOfAd.get(adId) ?? null;
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
      const found = new Map<string, number>();
      for (const workspaceId of workspaceIds) {
        const stored = snapshots.peek(workspaceId);
        if (stored !== undefined) found.set(workspaceId, stored.version);
      }
      return found;
    },
    async close() {
      subscribers.clear();
      witnesses.clear();
      snapshots.clear();
      workspaceOfAd.clear();
    },
  };
}
