import { newId } from "#libs/domain/ids.ts";
import { NO_OWN_RULES, type Snapshot, type SnapshotAd, type SnapshotTier } from "#libs/placements/index.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";

/** An ad that has been eligible since the beginning of time and stays so. */
export function anAd(ad: Partial<SnapshotAd> = {}): SnapshotAd {
  return {
    id: newId("ad"),
    name: "Northwind Coffee",
    websiteUrl: "https://northwind.example",
    faviconUrl: "",
    clickUrl: "https://northwind.example/",
    tierId: newId("tier"),
    weight: 1,
    meta: { tagline: "Roasted this morning" },
    servingSince: 0,
    servingUntil: null,
    ...ad,
  };
}

/** What the directory knows of an ad that runs on. */
export function aCachedAd(id = "ad_1", workspaceId = "ws_1"): CachedAd {
  return {
    id,
    workspaceId,
    servedUntil: Number.POSITIVE_INFINITY,
    rules: NO_OWN_RULES,
  };
}

export function aTier(tier: Partial<SnapshotTier> = {}): SnapshotTier {
  return {
    id: newId("tier"),
    name: "Gold",
    description: "Top of every page",
    weight: 3,
    order: 0,
    features: [{ label: "Logo and tagline", type: "neutral" }],
    prices: [{ id: newId("price"), interval: "Month", intervalCount: 1, amount: 4900, currency: "usd" }],
    ...tier,
  };
}

export function aSnapshot(snapshot: Partial<Snapshot> = {}): Snapshot {
  return {
    workspaceId: newId("workspace"),
    version: 1,
    ads: [anAd()],
    tiers: [aTier()],
    trackingKeys: [],
    ...NO_OWN_RULES,
    ...snapshot,
  };
}
