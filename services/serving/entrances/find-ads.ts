import { type AddressKey, HttpError } from "#libs/http/index.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";

/** The ad of an id; null for an unknown one, `away` when it cannot be read now. */
export type FoundAds = (adId: string) => CachedAd | null | "away";

/** Finds the ads of a request that names several. What is not in memory is looked up, which is limited per caller. */
export async function findAds(
  directory: Pick<Directory, "cachedAd" | "findAd">,
  adIds: readonly string[],
  caller: AddressKey,
): Promise<FoundAds> {
  const found = new Map<string, CachedAd | null | "away">();
  let isAway = false;
  for (const adId of adIds) {
    if (found.has(adId)) continue;
    // Looks ads up one after the other, so that made-up ids do not use up the look-ups of other callers.
    let ad: CachedAd | null | "away" | undefined = directory.cachedAd(adId);
    // After a look-up that got no answer, the others are not tried: a request waits once.
    if (ad === undefined) ad = isAway ? "away" : await directory.findAd(adId, caller).catch(ifAway);
    isAway ||= ad === "away";
    found.set(adId, ad);
  }
  return (adId) => found.get(adId) ?? null;
}

function ifAway(error: unknown): "away" {
  if (error instanceof HttpError && error.status === 503) return "away";
  throw error;
}
