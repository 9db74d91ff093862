import { LRUCache } from "lru-cache";
import type { AddressKey } from "#libs/http/index.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";

/** Ads that are remembered; an entry takes some hundred bytes. */
const MAX_ADS = 20_000;

interface Target {
  /** The version of the snapshot that it is from. */
  readonly version: number;
  readonly address: string | null;
}

/**
 * Creates the function that finds where an ad's link leads: null without an approved address. It rejects when the snapshot cannot
 * be read. A snapshot of hundreds of ads takes a millisecond to decompress, which therefore happens once per version and not once
 * per click.
 */
export function createClickTargets(
  directory: Pick<Directory, "find" | "cachedVersion" | "cachedAd">,
): (ad: Pick<CachedAd, "id" | "workspaceId">, caller: AddressKey) => Promise<string | null> {
  const known = new LRUCache<string, Target>({ max: MAX_ADS });

  return async ({ id, workspaceId }, caller) => {
    const before = known.get(id);
    const cached = directory.cachedVersion(workspaceId);
    if (before !== undefined && before.version === cached) return before.address;
    // Nobody has approved an ad that its snapshot lacks, and anybody can submit many.
    if (cached !== undefined && directory.cachedAd(id) === undefined) return null;
    const snapshot = await directory.find(workspaceId, caller);
    if (snapshot === null) return null;
    const { version, ads } = snapshot;
    for (const { id: each, clickUrl } of ads) known.set(each, { version, address: clickUrl });
    const address = ads.find((ad) => ad.id === id)?.clickUrl ?? null;
    // Last, so that it stays also where there are more than can be remembered.
    known.set(id, { version, address });
    return address;
  };
}
