import { LRUCache } from "lru-cache";
import { isId } from "#libs/domain/ids.ts";
import { type AddressKey, tooManyRequests } from "#libs/http/index.ts";
import {
  NO_OWN_LIMITS,
  type Placements,
  type Snapshot,
  type SnapshotSource,
} from "#libs/placements/index.ts";
import { HeldSnapshots } from "./held-snapshots.ts";
import { LookUpBudget } from "./look-up-budget.ts";
import type { ServingMetrics } from "./metrics.ts";
import { type PreparedSnapshot, prepareSnapshot, type TrackedAd } from "./prepared-snapshot.ts";
import { SingleFlight } from "./single-flight.ts";
import { createSnapshotReader, type SnapshotReader } from "./snapshot-reader.ts";

const UNKNOWN_FOR_MS = 3_000;
const MAX_UNKNOWN = 20_000;
/** Of ads whose workspace was asked for and is not held. */
const MAX_AD_IDS = 20_000;
const CHECK_EVERY_MS = 2_000;
const CHECKED_AT_ONCE = 500;

export interface DirectoryOptions {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly metrics: ServingMetrics;
  /** Told in one sentence when the store or the source cannot be asked, and when it can again. */
  readonly onWarning: (message: string, error?: unknown) => void;
  /** How often versions are checked, in milliseconds: after a lost message, a change shows this late. Default 2,000. */
  readonly checkEveryMs?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * What this process knows of workspaces and ads. The least recently used make room; what is held is replaced when the
 * store announces a newer version, or when the regular check finds one; while neither store nor source answers, what
 * is held goes on being served.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #reader: SnapshotReader;
  readonly #snapshots = new HeldSnapshots();
  readonly #workspaceOfAd = new LRUCache<string, string>({ max: MAX_AD_IDS });
  /** Ids of workspaces and ads that were looked for and are not there. */
  readonly #unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_FOR_MS });
  /** Ads that exist but are in no snapshot yet, because nobody has reviewed them. */
  readonly #unplaced = new LRUCache<string, TrackedAd>({ max: MAX_UNKNOWN, ttl: UNKNOWN_FOR_MS });
  readonly #loads = new SingleFlight<PreparedSnapshot | null>();
  readonly #searches = new SingleFlight<string | null>();
  /** The newest version announced for each workspace that is being loaded. */
  readonly #announced = new Map<string, number>();
  readonly #budget: LookUpBudget;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Grows with each publication: what was not there before one may be there now. */
  #publications = 0;
  #isChecking = false;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#reader = createSnapshotReader(options);
    this.#budget = new LookUpBudget(options.now ?? Date.now);
    this.#unsubscribe = options.placements.subscribe((workspaceId, version) =>
      this.#hear(workspaceId, version),
    );
    this.#timer = setInterval(() => void this.#check(), options.checkEveryMs ?? CHECK_EVERY_MS);
    this.#timer.unref();
  }

  /** The snapshot where it is in memory, else undefined. */
  held(workspaceId: string): PreparedSnapshot | undefined {
    return this.#snapshots.get(workspaceId);
  }

  /** The version of the snapshot that is in memory, else undefined: cheaper than the snapshot, which may be packed. */
  heldVersion(workspaceId: string): number | undefined {
    return this.#snapshots.version(workspaceId);
  }

  /**
   * The snapshot; null for an unknown workspace. Throws `SERVICE_UNAVAILABLE` when it is not held and cannot be had, and
   * `TOO_MANY_REQUESTS` when it is not held and its caller has asked for too many that do not exist.
   */
  async find(workspaceId: string, caller?: AddressKey): Promise<PreparedSnapshot | null> {
    const held = this.held(workspaceId);
    if (held !== undefined) return held;
    if (!isId("workspace", workspaceId) || this.#unknown.has(workspaceId)) return null;
    if (caller === undefined) return this.#load(workspaceId);
    if (!this.#budget.take(caller)) throw tooManyRequests(this.#budget.resetMs());
    const found = await this.#load(workspaceId);
    if (found !== null) this.#budget.giveBack(caller);
    return found;
  }

  /** The ad where it is in memory, else undefined. */
  heldAd(adId: string): TrackedAd | undefined {
    return this.#snapshots.ad(adId);
  }

  /**
   * The ad; null for an unknown one, and for any that is not held where the caller has asked for too many that do not
   * exist. Throws `SERVICE_UNAVAILABLE` when it is not held and cannot be had.
   */
  async findAd(adId: string, caller?: AddressKey): Promise<TrackedAd | null> {
    const held = this.heldAd(adId) ?? this.#unplaced.get(adId);
    if (held !== undefined) return held;
    if (!isId("ad", adId) || this.#unknown.has(adId)) return null;
    if (caller === undefined) return this.#lookUpAd(adId);
    if (!this.#budget.take(caller)) return null;
    const found = await this.#lookUpAd(adId);
    if (found !== null) this.#budget.giveBack(caller);
    return found;
  }

  async #lookUpAd(adId: string): Promise<TrackedAd | null> {
    const before = this.#publications;
    const workspaceId =
      this.#workspaceOfAd.get(adId) ??
      (await this.#searches.run(adId, () => this.#reader.workspaceOfAd(adId)));
    if (workspaceId === null) {
      if (before === this.#publications) this.#unknown.set(adId, true);
      return null;
    }
    this.#workspaceOfAd.set(adId, workspaceId);
    // It may be newer than the snapshot that is held; an ad in no snapshot yet has never been served.
    const snapshot = await this.#load(workspaceId);
    const placed = this.#snapshots.ad(adId);
    if (placed !== undefined) return placed;
    const limits = snapshot?.limits ?? NO_OWN_LIMITS;
    const unplaced = { id: adId, workspaceId, servingSince: null, servingUntil: null, limits };
    if (before === this.#publications) this.#unplaced.set(adId, unplaced);
    return unplaced;
  }

  /** Stops listening and checking. */
  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  #load(workspaceId: string): Promise<PreparedSnapshot | null> {
    return this.#loads.run(workspaceId, async () => {
      const before = this.#publications;
      this.#announced.set(workspaceId, 0);
      try {
        const snapshot = await this.#reader.read(workspaceId, () => this.#announced.get(workspaceId) ?? 0);
        if (snapshot === null) {
          if (before === this.#publications) this.#unknown.set(workspaceId, true);
          return null;
        }
        const isNewer = (this.#snapshots.version(workspaceId) ?? Number.NEGATIVE_INFINITY) < snapshot.version;
        return isNewer ? this.#keep(snapshot) : (this.#snapshots.get(workspaceId) ?? null);
      } finally {
        this.#announced.delete(workspaceId);
      }
    });
  }

  #hear(workspaceId: string, version: number): void {
    this.#publications += 1;
    this.#unknown.clear();
    this.#unplaced.clear();
    const awaited = this.#announced.get(workspaceId);
    if (awaited !== undefined) this.#announced.set(workspaceId, Math.max(awaited, version));
    else if ((this.#snapshots.version(workspaceId) ?? version) < version) this.#refresh(workspaceId);
  }

  /** Replaces what is held, in the background. What fails here is tried again by the next check. */
  #refresh(workspaceId: string): void {
    this.#load(workspaceId).catch(() => {});
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { metrics } = this.#options;
    try {
      const held = this.#snapshots.workspaceIds();
      for (let first = 0; first < held.length; first += CHECKED_AT_ONCE) {
        await this.#checkSome(held.slice(first, first + CHECKED_AT_ONCE));
      }
      metrics.snapshotsStale.set(0);
      metrics.snapshotsConfirmed.setToCurrentTime();
    } catch {
      metrics.snapshotsStale.set(1);
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkSome(workspaceIds: readonly string[]): Promise<void> {
    const versions = await this.#reader.versions(workspaceIds);
    for (const workspaceId of workspaceIds) {
      const held = this.#snapshots.version(workspaceId);
      // A store that has lost a snapshot gets it again, from the source.
      const stored = versions.get(workspaceId) ?? Number.POSITIVE_INFINITY;
      if (held === undefined) continue;
      if (held < stored) await this.#load(workspaceId);
      else if (held > stored) await this.#restore(workspaceId, held);
    }
  }

  /** The store has come back with what it had some time ago; or the database has, which is then the truth. */
  async #restore(workspaceId: string, held: number): Promise<void> {
    const snapshot = await this.#reader.restore(workspaceId);
    if (snapshot === null || snapshot.version >= held) return;
    if (this.#snapshots.version(workspaceId) === held) this.#keep(snapshot);
  }

  #keep(snapshot: Snapshot): PreparedSnapshot {
    const prepared = prepareSnapshot(snapshot);
    this.#snapshots.keep(prepared);
    return prepared;
  }
}
