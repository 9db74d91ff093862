import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { inRounds } from "#libs/async/index.ts";
import {
  BYTES_AROUND_AN_AD,
  type IdHash,
  type PreparedAd,
  type PreparedSnapshot,
  sizeOf,
  tight,
} from "./prepared-snapshot.ts";

/**
 * Bytes of JSON that are compressed together, unless one ad has more. In pieces of 4 KiB deflate takes 11 µs to decompress one, zstd 30,
 * and 98 ms to compress 16 MiB, zstd 207; the result is 0.23 of the text, 0.2 with zstd.
 */
const PIECE = 4 * 1024;
/** A window and tables no larger than most pieces. */
const WINDOW = { windowBits: 12, memLevel: 6 };
const FASTEST = { ...WINDOW, level: 1 };
/** Memory that decompressing takes at least, more than most pieces have. */
const LEAST_CHUNK = 8 * 1024;

/** Snapshots that take more when prepared are packed: others are decompressed in a millisecond. */
const LARGE = 384 * 1024;

/** A snapshot whose ads have their JSON compressed, and the approximate memory that it takes, in bytes. */
export interface PackedSnapshot {
  readonly content: PreparedSnapshot;
  readonly bytes: number;
}

/**
 * A large snapshot in less memory, after many rounds of the event loop; null for another. Choosing from its ads decompresses nothing,
 * and reading the JSON of one decompresses a piece of 4 KiB, or that ad alone. Little of what was decompressed is kept: more would be
 * garbage among the long-lived, which is collected late.
 */
export async function packIfLarge(snapshot: PreparedSnapshot): Promise<PackedSnapshot | null> {
  if (sizeOf(snapshot) <= LARGE) return null;
  let bytes = snapshot.tiers.length;
  const ads: PreparedAd[] = [];
  for await (const group of inRounds(inGroups(snapshot.ads))) {
    const piece = tight(deflateRawSync(Buffer.concat(group.map(({ json }) => json)), FASTEST));
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

/** Bytes of an answer that could be written while one ad is decompressed (16 KiB take half a millisecond). */
const DECOMPRESSING = 1024;

/** The cost of reading an ad's JSON, in bytes of an answer that could be written meanwhile; 0 if it is not packed. */
export function costOfReading(ad: PreparedAd): number {
  return ad instanceof PackedAd ? DECOMPRESSING : 0;
}

interface Place {
  readonly piece: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Pieces that were decompressed last, 2 MiB: all of a workspace with a thousand average ads. */
const decompressed = new LRUCache<Buffer, Buffer>({
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: ({ byteLength }) => byteLength,
});

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
    let content = decompressed.get(this.#piece);
    if (content === undefined) {
      // An ad that is longer is alone in its piece, so that the piece comes out in one go as well.
      const chunkSize = Math.max(LEAST_CHUNK, this.#end + 1);
      content = tight(inflateRawSync(this.#piece, { ...WINDOW, chunkSize }));
      decompressed.set(this.#piece, content);
    }
    return content.toString("utf8", this.#start, this.#end);
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
