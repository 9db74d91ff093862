import { type AddressKey, HttpError } from "#libs/http/index.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";

/** The ad of an id; null for an unknown one, `away` when it cannot be read now. */
export type FoundAds = (adId: string) => CachedAd | null | "away";

/** Finds the ads of a request that names several. What is not in memory is looked up, which is limited per caller. */
export async function findAds(
  directory: Pick<Directory, "cachedAd" | "findAds">,
  adIds: readonly string[],
  caller: AddressKey,
): Promise<FoundAds> {
  const cached = new Map<string, CachedAd>();
  const missing = new Set<string>();
  for (const adId of adIds) {
    const ad = directory.cachedAd(adId);
    if (ad === undefined) missing.add(adId);
    else cached.set(adId, ad);
  }
  const found = missing.size === 0 ? cached : await directory.findAds([...missing], caller).catch(ifAway);
  if (found === "away") return (adId) => directory.cachedAd(adId) ?? "away";
  return (adId) => cached.get(adId) ?? found.get(adId) ?? null;
}

function ifAway(error: unknown): "away" {
  if (error instanceof HttpError && error.status === 503) return "away";
  throw error;
}
