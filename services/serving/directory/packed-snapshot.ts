import { zstdDecompressSync } from "node:zlib";
import {
  BYTES_AROUND_AN_AD,
  compressBytes,
  type IdHash,
  type PreparedAd,
  type PreparedSnapshot,
} from "./prepared-snapshot.ts";

/** Bytes of JSON that are compressed together, unless one ad has more: decompressed in some 40 µs. */
const PIECE = 16 * 1024;

/** A snapshot whose ads have their JSON compressed, and the approximate memory that it takes, in bytes. */
export interface PackedSnapshot {
  readonly content: PreparedSnapshot;
  readonly bytes: number;
}

/**
 * The same snapshot in less memory. Choosing from its ads decompresses nothing, and reading the JSON of one decompresses a piece of
 * 16 KiB, or that ad alone. What was decompressed is not kept: it would be garbage among the long-lived, which is collected late.
 */
export function packSnapshot(snapshot: PreparedSnapshot): PackedSnapshot {
  let bytes = snapshot.tiers.length;
  const ads: PreparedAd[] = [];
  for (const group of inGroups(snapshot.ads)) {
    const piece = compressBytes(Buffer.concat(group.map(({ json }) => json)));
    bytes += piece.byteLength;
    let start = 0;
    for (const { ad, json } of group) {
      const end = start + json.byteLength;
      ads.push(new PackedAd(ad, { piece, start, end }));
      bytes += BYTES_AROUND_AN_AD + (ad.clickUrl?.length ?? 0);
      start = end;
    }
  }
  return { content: { ...snapshot, ads }, bytes };
}

interface Place {
  readonly piece: Buffer;
  readonly start: number;
  readonly end: number;
}

class PackedAd implements PreparedAd {
  readonly id: string;
  readonly tierId: string;
  readonly weight: number;
  readonly clickUrl: string | null;
  readonly servingSince: number | null;
  readonly servingUntil: number | null;
  readonly idHash: IdHash;
  readonly #piece: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(ad: PreparedAd, { piece, start, end }: Place) {
    this.id = ad.id;
    this.tierId = ad.tierId;
    this.weight = ad.weight;
    this.clickUrl = ad.clickUrl;
    this.servingSince = ad.servingSince;
    this.servingUntil = ad.servingUntil;
    this.idHash = ad.idHash;
    this.#piece = piece;
    this.#start = start;
    this.#end = end;
  }

  get json(): string {
    return zstdDecompressSync(this.#piece).toString("utf8", this.#start, this.#end);
  }
}

interface EncodedAd {
  readonly ad: PreparedAd;
  readonly json: Buffer;
}

/** The ads in their order, as many together as make a piece. */
function* inGroups(ads: readonly PreparedAd[]): Generator<readonly EncodedAd[], void> {
  let group: EncodedAd[] = [];
  let length = 0;
  for (const ad of ads) {
    const json = Buffer.from(ad.json);
    if (group.length > 0 && length + json.byteLength > PIECE) {
      yield group;
      group = [];
      length = 0;
    }
    group.push({ ad, json });
    length += json.byteLength;
  }
  if (group.length > 0) yield group;
}
