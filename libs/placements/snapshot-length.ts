import type { Snapshot } from "./port.ts";

/** The approximate characters of a snapshot as JSON. Takes some milliseconds for a large one. */
export function snapshotLength({ ads, tiers }: Snapshot): number {
  return ads.reduce((sum, ad) => sum + JSON.stringify(ad).length, JSON.stringify(tiers).length);
}
