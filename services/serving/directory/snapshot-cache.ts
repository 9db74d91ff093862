import { LRUCache } from "lru-cache";
import { KeyHasher, OffHeapMap } from "#libs/off-heap-map/index.ts";
import type { EventRules } from "#libs/placements/index.ts";
import type { PackedSnapshot } from "./packed-snapshot.ts";
import { compress, decompress, type PreparedSnapshot, sizeOf } from "./prepared-snapshot.ts";

export interface SnapshotCacheOptions {
  /** Workspaces at most. Default 50,000. */
  readonly maxWorkspaces?: number;
  /** Memory for prepared snapshots, in bytes. Default 16 MiB. */
  readonly maxPreparedBytes?: number;
  /** Memory for compressed and packed snapshots, in bytes. Default 160 MiB. */
  readonly maxCompressedBytes?: number;
}

/** An ad as tracking needs it. */
export interface CachedAd {
  readonly id: string;
  readonly workspaceId: string;
  /** In milliseconds since the epoch: -Infinity if it has never been served, Infinity if no end is known. */
  readonly servedUntil: number;
  /** Its workspace's: one object for all ads of a snapshot. */
  readonly rules: EventRules;
}

interface CachedSnapshot {
  readonly workspaceId: string;
  readonly version: number;
  readonly rules: EventRules;
  /** Identifies this entry; never used twice. */
  readonly serial: number;
  /** Compressed as a whole, or packed if it is large. */
  readonly content: Buffer | PreparedSnapshot;
  /** The memory of the content. */
  readonly bytes: number;
  /** The ids of its ads in one string, each `ID_LENGTH` long. */
  readonly ids: string;
  /** `servedUntil` of each ad. */
  readonly ends: Float64Array;
}

const MIB = 1024 * 1024;
/** Ads of a snapshot at most, so that its serial and an ad's index fit into one number. */
const MAX_ADS = 2 ** 21;
/** `ad_` and 26 characters. */
const ID_LENGTH = 29;
const BYTES_AROUND_A_SNAPSHOT = 600;
/** About as many as there is room for prepared. */
const REMEMBERED_USES = 256;
const AD = "ad";

/**
 * The snapshots in this process's memory: all of them compressed, those used more than once lately prepared too. Large ones are
 * packed instead, so that no request decompresses more of them than its answer has. Tracking finds an ad without decompressing
 * anything. Beyond the limits the least recently used go.
 *
 * With 10,000 workspaces of 50 ads the process has 425 MB resident; with prepared objects in a `Map` it has 650.
 */
export class SnapshotCache {
  readonly #compressed: LRUCache<string, CachedSnapshot>;
  readonly #prepared: LRUCache<string, PreparedSnapshot>;
  /** Workspaces whose prepared snapshot was used and not kept. */
  readonly #usedOnce = new LRUCache<string, true>({ max: REMEMBERED_USES });
  readonly #bySerial = new Map<number, CachedSnapshot>();
  /** Where each ad is: the serial of its snapshot times `MAX_ADS`, plus its index. */
  readonly #ads = new OffHeapMap();
  readonly #hasher = new KeyHasher();
  #lastSerial = 0;

  constructor(options: SnapshotCacheOptions = {}) {
    const { maxWorkspaces = 50_000, maxPreparedBytes = 16 * MIB, maxCompressedBytes = 160 * MIB } = options;
    this.#prepared = new LRUCache({ maxSize: maxPreparedBytes, sizeCalculation: sizeOf });
    this.#compressed = new LRUCache({
      max: maxWorkspaces,
      maxSize: maxCompressedBytes,
      sizeCalculation: ({ bytes, ids, ends }) =>
        bytes + ids.length + ends.byteLength + BYTES_AROUND_A_SNAPSHOT,
      dispose: (snapshot) => this.#forget(snapshot),
    });
  }

  workspaceIds(): string[] {
    return [...this.#compressed.keys()];
  }

  /** The version in the cache. Does not count as a use. */
  version(workspaceId: string): number | undefined {
    return this.#compressed.peek(workspaceId)?.version;
  }

  /** Does not count as a use. */
  rules(workspaceId: string): EventRules | undefined {
    return this.#compressed.peek(workspaceId)?.rules;
  }

  get(workspaceId: string): PreparedSnapshot | undefined {
    const content = this.#compressed.get(workspaceId)?.content;
    if (content === undefined || !Buffer.isBuffer(content)) return content;
    const prepared = this.#prepared.get(workspaceId);
    if (prepared !== undefined) return prepared;
    const decompressed = decompress(content);
    this.#keepIfUsedAgain(decompressed);
    return decompressed;
  }

  /**
   * A prepared snapshot that is used once dies young. Kept, those of many workspaces that are asked for in turn would push
   * each other out, and those used often, and be garbage among the long-lived, which is collected late.
   */
  #keepIfUsedAgain(snapshot: PreparedSnapshot): void {
    const { workspaceId } = snapshot;
    if (this.#usedOnce.delete(workspaceId)) this.#prepared.set(workspaceId, snapshot);
    else this.#usedOnce.set(workspaceId, true);
  }

  /** The ad, if a cached snapshot has it. */
  ad(id: string): CachedAd | undefined {
    const place = this.#ads.get(this.#hasher.hash(AD, id));
    if (place === undefined) return undefined;
    const index = place % MAX_ADS;
    const snapshot = this.#bySerial.get((place - index) / MAX_ADS);
    // Callers choose ids, and one that was made up may have the hash of another.
    if (snapshot === undefined || id.length !== ID_LENGTH || !snapshot.ids.startsWith(id, index * ID_LENGTH))
      return undefined;
    const { workspaceId, rules, ends } = snapshot;
    this.#compressed.get(workspaceId);
    return { id, workspaceId, servedUntil: ends[index] ?? Number.NEGATIVE_INFINITY, rules };
  }

  /** Replaces the snapshot of the same workspace. A large one comes with `packed` (`packIfLarge`). One that is larger than all the room is not kept. */
  set(snapshot: PreparedSnapshot, packed: PackedSnapshot | null = null): void {
    const { workspaceId, version, rules, ads } = snapshot;
    const wasPrepared = this.#prepared.has(workspaceId);
    this.#lastSerial += 1;
    const serial = this.#lastSerial;
    const ids = ads.map(({ id }) => id.slice(0, ID_LENGTH).padEnd(ID_LENGTH)).join("");
    this.#compressed.set(workspaceId, {
      workspaceId,
      version,
      rules,
      serial,
      ...(packed ?? compressed(snapshot)),
      // Through bytes, because V8 keeps the parts of a joined string.
      ids: Buffer.from(ids, "latin1").toString("latin1"),
      ends: Float64Array.from(ads, ({ servingSince, servingUntil }) =>
        servingSince === null ? Number.NEGATIVE_INFINITY : (servingUntil ?? Number.POSITIVE_INFINITY),
      ),
    });
    const cached = this.#compressed.peek(workspaceId);
    if (cached === undefined) return;
    if (wasPrepared && packed === null) this.#prepared.set(workspaceId, snapshot);
    else if (packed === null) this.#keepIfUsedAgain(snapshot);
    this.#bySerial.set(serial, cached);
    for (const [index, { id }] of ads.entries()) {
      this.#ads.set(this.#hasher.hash(AD, id), serial * MAX_ADS + index);
    }
  }

  #forget({ workspaceId, serial, ids, ends }: CachedSnapshot): void {
    this.#bySerial.delete(serial);
    this.#prepared.delete(workspaceId);
    for (let index = 0; index < ends.length; index += 1) {
      const id = this.#hasher.hash(AD, ids.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH));
      if (this.#ads.get(id) === serial * MAX_ADS + index) this.#ads.delete(id);
    }
  }
}

function compressed(snapshot: PreparedSnapshot): Pick<CachedSnapshot, "content" | "bytes"> {
  const content = compress(snapshot);
  return { content, bytes: content.byteLength };
}
