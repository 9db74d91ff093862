import { hash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import type { Snapshot, SnapshotAd, SnapshotLimits } from "#libs/placements/index.ts";
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

/** A snapshot that requests can be answered from. Plain data, which survives JSON. */
export interface PreparedSnapshot {
  readonly workspaceId: string;
  readonly version: number;
  readonly ads: readonly PreparedAd[];
  readonly tiers: RawAnswer;
  readonly limits: SnapshotLimits;
  readonly requireProof: boolean;
  /** As in `Snapshot`. */
  readonly trackingKeys: readonly string[];
}

const BYTES_AROUND_AN_AD = 500;
/** 132 bits. */
const DIGEST_LENGTH = 22;
/** The fastest level: a better one takes several times as long and saves a tenth. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function prepareSnapshot(snapshot: Snapshot): PreparedSnapshot {
  const { workspaceId, version, ads, tiers, limits, requireProof, trackingKeys } = snapshot;
  return {
    workspaceId,
    version,
    ads: ads.map(prepareAd),
    tiers: createRawAnswer(JSON.stringify({ tiers })),
    limits,
    requireProof,
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

/** A prepared snapshot in about a tenth of its memory. */
export interface CompressedSnapshot {
  /** The snapshot with the first of its ads: with all of them unless it is large. */
  readonly first: Buffer;
  /** Further ads of a large one, so that no piece takes long to parse. */
  readonly rest: readonly Buffer[];
}

/** Characters of ads in a piece: it is parsed in about a millisecond. */
const PIECE = 256 * 1024;
const decompressAsync = promisify(zstdDecompress);

export function compress(snapshot: PreparedSnapshot): CompressedSnapshot {
  const [first = [], ...rest] = inPieces(snapshot.ads);
  return { first: compressJson({ ...snapshot, ads: first }), rest: rest.map(compressJson) };
}

/** Takes a few microseconds per ad. For a snapshot without `rest`. */
export function decompress({ first }: CompressedSnapshot): PreparedSnapshot {
  const snapshot: PreparedSnapshot = JSON.parse(zstdDecompressSync(first).toString());
  return snapshot;
}

/** Lets other work happen between the pieces of a large snapshot. */
export async function decompressInPieces({ first, rest }: CompressedSnapshot): Promise<PreparedSnapshot> {
  const snapshot: PreparedSnapshot = JSON.parse((await decompressAsync(first)).toString());
  const ads = [...snapshot.ads];
  for (const piece of rest) {
    const more: readonly PreparedAd[] = JSON.parse((await decompressAsync(piece)).toString());
    for (const ad of more) ads.push(ad);
  }
  return { ...snapshot, ads };
}

function inPieces(ads: readonly PreparedAd[]): PreparedAd[][] {
  const pieces: PreparedAd[][] = [];
  let length = PIECE;
  for (const ad of ads) {
    if (length >= PIECE) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(ad);
    length += ad.json.length + (ad.clickUrl?.length ?? 0) + BYTES_AROUND_AN_AD;
  }
  return pieces;
}

function compressJson(value: unknown): Buffer {
  const compressed = zstdCompressSync(JSON.stringify(value), FASTEST);
  // zstd's buffer is as large as the result could have been; a copy takes only what it needs.
  const bytes = Buffer.allocUnsafeSlow(compressed.byteLength);
  compressed.copy(bytes);
  return bytes;
}

const measures = new WeakMap<PreparedAd, AdMeasure>();

/** Measures an ad when it is first answered with. */
export function measureAd(ad: PreparedAd): AdMeasure {
  const known = measures.get(ad);
  if (known !== undefined) return known;
  const digest = hash("sha256", ad.json, "base64url").slice(0, DIGEST_LENGTH);
  const measure = { bytes: Buffer.byteLength(ad.json), digest };
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
