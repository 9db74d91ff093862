import type { PlacedAd, PlacedLimits, Snapshot } from "#libs/placements/index.ts";
import { type ReadyAnswer, readyAnswer } from "./ready-answer.ts";
import { hashId, type IdHash } from "./unit-draw.ts";

/** An ad as tracking needs it. */
export interface TrackedAd {
  readonly id: string;
  readonly workspaceId: string;
  readonly servingSince: number | null;
  readonly servingUntil: number | null;
  /** Its workspace's, one object for all ads of a snapshot. */
  readonly limits: PlacedLimits;
}

/** An ad with all that is worth computing once for a snapshot. */
export interface PreparedAd extends TrackedAd {
  readonly tierId: string;
  readonly weight: number;
  readonly idHash: IdHash;
  /** The ad as browsers get it, already JSON. */
  readonly json: string;
}

export interface PreparedSnapshot {
  readonly workspaceId: string;
  readonly version: number;
  readonly ads: readonly PreparedAd[];
  readonly tiers: ReadyAnswer;
  readonly limits: PlacedLimits;
}

const BYTES_AROUND_AN_AD = 500;

/** Turns a snapshot into what requests are answered from. */
export function prepareSnapshot(snapshot: Snapshot): PreparedSnapshot {
  const { workspaceId, version, limits } = snapshot;
  const ads = snapshot.ads.map((ad) => prepareAd(snapshot, ad));
  const tiers = readyAnswer(JSON.stringify({ tiers: snapshot.tiers }));
  return {
    workspaceId,
    version,
    ads,
    tiers,
    limits,
  };
}

/** About how much memory the snapshot takes, in bytes. */
export function sizeOf({ ads, tiers }: PreparedSnapshot): number {
  return ads.reduce((sum, { json }) => sum + 2 * json.length + BYTES_AROUND_AN_AD, tiers.length);
}

function prepareAd({ workspaceId, limits }: Snapshot, ad: PlacedAd): PreparedAd {
  const { id, name, websiteUrl, faviconUrl, tierId, weight, meta, servingSince, servingUntil } = ad;
  return {
    id,
    workspaceId,
    tierId,
    weight,
    servingSince,
    servingUntil,
    limits,
    idHash: hashId(id),
    json: JSON.stringify({ id, name, websiteUrl, faviconUrl, weight, meta }),
  };
}
