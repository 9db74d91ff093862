import type { PlacedAd, Snapshot } from "#libs/placements/index.ts";
import { type ReadyAnswer, readyAnswer } from "./ready-answer.ts";
import { hashId, type IdHash } from "./unit-draw.ts";

/** An ad as tracking needs it. */
export interface TrackedAd {
  readonly id: string;
  readonly workspaceId: string;
  readonly servingSince: number | null;
  readonly servingUntil: number | null;
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
  readonly adsById: ReadonlyMap<string, PreparedAd>;
  readonly tiers: ReadyAnswer;
  /** About how much memory it takes, in bytes. */
  readonly size: number;
}

const BYTES_AROUND_AN_AD = 500;

/** Turns a snapshot into what requests are answered from. */
export function prepareSnapshot(snapshot: Snapshot): PreparedSnapshot {
  const { workspaceId, version } = snapshot;
  const ads = snapshot.ads.map((ad) => prepareAd(workspaceId, ad));
  const tiers = readyAnswer(JSON.stringify({ tiers: snapshot.tiers }));
  return {
    workspaceId,
    version,
    ads,
    adsById: new Map(ads.map((ad) => [ad.id, ad])),
    tiers,
    size: ads.reduce((sum, { json }) => sum + 2 * json.length + BYTES_AROUND_AN_AD, tiers.length),
  };
}

function prepareAd(workspaceId: string, ad: PlacedAd): PreparedAd {
  const { id, name, websiteUrl, faviconUrl, tierId, weight, meta, servingSince, servingUntil } = ad;
  return {
    id,
    workspaceId,
    tierId,
    weight,
    servingSince,
    servingUntil,
    idHash: hashId(id),
    json: JSON.stringify({ id, name, websiteUrl, faviconUrl, weight, meta }),
  };
}
