import { LRUCache } from "lru-cache";
import { NumberTable, TableKeys } from "#libs/number-table/index.ts";
import { packSnapshot, unpackSnapshot } from "./packed-snapshot.ts";
import { type PreparedSnapshot, sizeOf, type TrackedAd } from "./prepared-snapshot.ts";
import { TrackedAds } from "./tracked-ads.ts";

export interface HeldSnapshotsOptions {
  /** Workspaces at most. Default 50,000. */
  readonly maxWorkspaces?: number;
  /** Memory for snapshots that are ready to be answered from, in bytes. Default 16 MiB. */
  readonly maxReadyBytes?: number;
  /** Memory for the rest, in bytes. Default 160 MiB. */
  readonly maxPackedBytes?: number;
  /** Places of ads that are gone stay known until there are so many more of them than ads. Default 10,000. */
  readonly strayPlaces?: number;
}

interface Held {
  readonly slot: number;
  readonly tracked: TrackedAds;
  /** Null until it was packed for the first time. */
  readonly packed: Buffer | null;
}

const MIB = 1024 * 1024;
/** A place is a slot and a position in it. */
const POSITIONS = 2 ** 21;
const AD = "ad";

/**
 * The snapshots that this process holds. Those asked for lately are ready; the others are packed and take a tenth of the
 * memory, and what tracking asks is answered without unpacking them. Beyond the bounds the least recently used go.
 */
export class HeldSnapshots {
  readonly #held: LRUCache<string, Held>;
  readonly #ready: LRUCache<string, PreparedSnapshot>;
  readonly #slots: (Held | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #places = new NumberTable();
  readonly #keys = new TableKeys();
  readonly #strayPlaces: number;
  #ads = 0;

  constructor(options: HeldSnapshotsOptions = {}) {
    const { maxWorkspaces = 50_000, maxReadyBytes = 16 * MIB, maxPackedBytes = 160 * MIB } = options;
    this.#strayPlaces = options.strayPlaces ?? 10_000;
    this.#held = new LRUCache({
      max: maxWorkspaces,
      maxSize: maxPackedBytes,
      sizeCalculation: ({ tracked, packed }) => tracked.size + (packed?.byteLength ?? 0),
      dispose: (held, workspaceId, reason) => {
        if (reason !== "set") this.#forget(held, workspaceId);
      },
    });
    this.#ready = new LRUCache({
      maxSize: maxReadyBytes,
      sizeCalculation: sizeOf,
      // After it: packing may make others go, and they go from here too.
      disposeAfter: (snapshot, _workspaceId, reason) => {
        if (reason === "evict") this.#pack(snapshot);
      },
    });
  }

  /** The workspaces of what is held. */
  workspaceIds(): string[] {
    return [...this.#held.keys()];
  }

  /** The version that is held, without taking it for used; undefined where none is. */
  version(workspaceId: string): number | undefined {
    return this.#held.peek(workspaceId)?.tracked.version;
  }

  get(workspaceId: string): PreparedSnapshot | undefined {
    const held = this.#held.get(workspaceId);
    if (held === undefined) return undefined;
    const ready = this.#ready.get(workspaceId);
    if (ready !== undefined || held.packed === null) return ready;
    const unpacked = unpackSnapshot(held.packed);
    this.#ready.set(workspaceId, unpacked);
    return unpacked;
  }

  /** The ad; undefined when it is in no snapshot that is held. */
  ad(adId: string): TrackedAd | undefined {
    const place = this.#places.get(this.#keys.of(AD, adId));
    if (place === undefined) return undefined;
    const tracked = this.#slots[Math.floor(place / POSITIONS)]?.tracked;
    const ad = tracked?.at(place % POSITIONS, adId);
    if (ad !== undefined) this.#held.get(ad.workspaceId);
    return ad;
  }

  /** Holds the snapshot in place of the one of the same workspace. */
  keep(snapshot: PreparedSnapshot): void {
    const { workspaceId } = snapshot;
    const before = this.#held.peek(workspaceId);
    const tracked = new TrackedAds(snapshot);
    const slot = before?.slot ?? this.#freeSlots.pop() ?? this.#slots.length;
    const held: Held = { slot, tracked, packed: null };
    this.#ads += tracked.count - (before?.tracked.count ?? 0);
    this.#put(held);
    if (!this.#held.has(workspaceId)) return;
    this.#ready.set(workspaceId, snapshot);
    // One that is larger than all the room for what is ready is not taken in.
    if (!this.#ready.has(workspaceId)) this.#pack(snapshot);
    for (const [position, { id }] of snapshot.ads.entries()) {
      this.#places.set(this.#keys.of(AD, id), slot * POSITIONS + position);
    }
    if (this.#places.size > 2 * this.#ads + this.#strayPlaces) this.#dropStrayPlaces();
  }

  /** What was packed once is the same until there is a newer version. */
  #pack(snapshot: PreparedSnapshot): void {
    const held = this.#held.peek(snapshot.workspaceId);
    if (held?.tracked.version !== snapshot.version || held.packed !== null) return;
    // Another object, because only what is new to the cache is measured.
    this.#put({ ...held, packed: packSnapshot(snapshot) });
  }

  #put(held: Held): void {
    const { workspaceId } = held.tracked;
    this.#slots[held.slot] = held;
    this.#held.set(workspaceId, held);
    // What is larger than all the room is not taken in, and whatever was there before is gone.
    if (!this.#held.has(workspaceId)) this.#forget(held, workspaceId);
  }

  #forget({ slot, tracked }: Held, workspaceId: string): void {
    if (this.#slots[slot] === undefined) return;
    this.#slots[slot] = undefined;
    this.#freeSlots.push(slot);
    this.#ads -= tracked.count;
    this.#ready.delete(workspaceId);
  }

  #dropStrayPlaces(): void {
    this.#places.clear();
    for (const held of this.#slots) {
      if (held === undefined) continue;
      for (const [position, id] of held.tracked.ids().entries()) {
        this.#places.set(this.#keys.of(AD, id), held.slot * POSITIONS + position);
      }
    }
  }
}
