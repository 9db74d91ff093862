import { hash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { inRounds } from "#libs/async/index.ts";
import type { EventRules, Snapshot, SnapshotAd } from "#libs/placements/index.ts";
import { createRawAnswer, type RawAnswer } from "../answers/raw-answer.ts";

/** 64 bits of an ad's id. */
export interface IdHash {
  readonly high: number;
  readonly low: number;
}

/** An ad with everything that is computed once per snapshot. */
export interface PreparedAd {
  readonly id: string;
  readonly tierId: string;
  readonly weight: number;
  readonly clickUrl: string | null;
  readonly servingSince: number | null;
  readonly servingUntil: number | null;
  readonly idHash: IdHash;
  /** The ad as browsers get it. */
  readonly json: string;
}

/** What an answer needs to know of an ad before it is written. */
export interface AdMeasure {
  /** The length of its JSON as UTF-8. */
  readonly bytes: number;
  /** Differs where the JSON differs. */
  readonly digest: string;
}

/** A snapshot that requests can be answered from. Plain data, which survives JSON, unless it is packed. */
export interface PreparedSnapshot {
  readonly workspaceId: string;
  readonly version: number;
  readonly ads: readonly PreparedAd[];
  readonly tiers: RawAnswer;
  readonly rules: EventRules;
  /** As in `Snapshot`. */
  readonly trackingKeys: readonly string[];
}

/** The memory of an ad without its JSON and its address. */
export const BYTES_AROUND_AN_AD = 500;
/** 132 bits. */
const DIGEST_LENGTH = 22;
/** The fastest level: a better one takes several times as long and saves a tenth. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Prepares a snapshot. A large one takes many rounds of the event loop. */
export async function prepareInRounds(snapshot: Snapshot): Promise<PreparedSnapshot> {
  const ads: PreparedAd[] = [];
  for await (const ad of inRounds(snapshot.ads)) ads.push(prepareAd(ad));
  return prepareSnapshot(snapshot, ads);
}

export function prepareSnapshot(
  snapshot: Snapshot,
  ads: readonly PreparedAd[] = snapshot.ads.map(prepareAd),
): PreparedSnapshot {
  const { workspaceId, version, tiers, trackingKeys, ...rest } = snapshot;
  const { owner, limits, requireProof, recordPages, countVisitors } = rest;
  return {
    workspaceId,
    version,
    ads,
    tiers: createRawAnswer(JSON.stringify({ tiers })),
    rules: { owner, limits, requireProof, recordPages, countVisitors },
    trackingKeys,
  };
}

/** The approximate memory of a prepared snapshot, in bytes. */
export function sizeOf({ ads, tiers }: PreparedSnapshot): number {
  return ads.reduce(
    (sum, { json, clickUrl }) => sum + 2 * (json.length + (clickUrl?.length ?? 0)) + BYTES_AROUND_AN_AD,
    tiers.length,
  );
}

/** The snapshot in about a tenth of its memory. */
export function compress(snapshot: PreparedSnapshot): Buffer {
  return tight(zstdCompressSync(JSON.stringify(snapshot), FASTEST));
}

/** Takes a few microseconds per ad. */
export function decompress(compressed: Buffer): PreparedSnapshot {
  const snapshot: PreparedSnapshot = JSON.parse(zstdDecompressSync(compressed).toString());
  return snapshot;
}

/** A copy in no more memory than it needs: what was compressed has a buffer as large as the result could have been. */
export function tight(compressed: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(compressed.byteLength);
  compressed.copy(bytes);
  return bytes;
}

const measures = new WeakMap<PreparedAd, AdMeasure>();

/** Measures an ad when it is first answered with. */
export function measureAd(ad: PreparedAd): AdMeasure {
  const known = measures.get(ad);
  if (known !== undefined) return known;
  // Read once, because that of a packed one is decompressed.
  const { json } = ad;
  const digest = hash("sha256", json, "base64url").slice(0, DIGEST_LENGTH);
  const measure = { bytes: Buffer.byteLength(json), digest };
  measures.set(ad, measure);
  return measure;
}

export function hashId(id: string): IdHash {
  const digest = hash("sha256", id, "buffer");
  return { high: digest.readInt32LE(0), low: digest.readInt32LE(4) };
}

function prepareAd(ad: SnapshotAd): PreparedAd {
  const { id, name, websiteUrl, faviconUrl, tierId, weight, meta, clickUrl, servingSince, servingUntil } = ad;
  const json = JSON.stringify({ id, name, websiteUrl, faviconUrl, weight, meta });
  return { id, tierId, weight, clickUrl, servingSince, servingUntil, idHash: hashId(id), json };
}
