import { TimeoutError, type Warn, within } from "#libs/async/index.ts";
import { isId } from "#libs/domain/ids.ts";
import { type AddressKey, tooManyRequests, unavailable } from "#libs/http/index.ts";
import {
  type EventRules,
  NO_OWN_RULES,
  type Placements,
  type Snapshot,
  type SnapshotSource,
} from "#libs/placements/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import { Absent } from "./absent.ts";
import { AdWorkspaces } from "./ad-workspaces.ts";
import { LookupLimiter } from "./lookup-limiter.ts";
import { packIfLarge } from "./packed-snapshot.ts";
import { type PreparedSnapshot, prepareInRounds, sizeOf } from "./prepared-snapshot.ts";
import { type CachedAd, SnapshotCache } from "./snapshot-cache.ts";
import { SnapshotLoads } from "./snapshot-loads.ts";
import { createSnapshotReader, type SnapshotReader } from "./snapshot-reader.ts";
import { checkVersions, type VersionCheck } from "./version-check.ts";

const RETRY_AFTER_MS = 1_000;
const ANSWERS_WITHIN_MS = 10_000;
/** In bytes. Smaller ones cost hardly more than their requests. */
const LARGE_ANSWER = 16 * 1024;
/** Ads in one question to the store and its source. */
const LOOKED_UP_AT_ONCE = 100;

export interface DirectoryOptions {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
  /** Milliseconds between checks for newer versions, which make up for lost messages. Default 2,000. */
  readonly checkEveryMs?: number;
  /** How long callers wait for what is not cached, in milliseconds; it is cached all the same. Default 10,000. */
  readonly answersWithinMs?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Finds workspaces and ads: in the cache of this process, else in the store, else in its source. A cached snapshot is
 * replaced when a newer version is published, or when the regular check finds one. While neither store nor source
 * answers, what is cached is still served.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #reader: SnapshotReader;
  readonly #snapshots = new SnapshotCache();
  readonly #adWorkspaces: AdWorkspaces;
  readonly #absent = new Absent();
  readonly #loads = new SnapshotLoads();
  /** The newest version published while its workspace is being loaded; 0 if none was. */
  readonly #published = new Map<string, number>();
  readonly #limiter: LookupLimiter;
  readonly #unsubscribe: () => void;
  readonly #check: VersionCheck;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#reader = createSnapshotReader(options);
    this.#adWorkspaces = new AdWorkspaces(this.#reader);
    this.#limiter = new LookupLimiter(options.now ?? Date.now);
    this.#unsubscribe = options.placements.subscribe(this.#onPublished.bind(this));
    this.#check = checkVersions({
      ...options,
      snapshots: this.#snapshots,
      reader: this.#reader,
      load: (workspaceId) => this.#load(workspaceId),
      restore: (workspaceId, cached) => this.#restore(workspaceId, cached),
    });
  }

  /** The snapshot, if it is cached. */
  cached(workspaceId: string): PreparedSnapshot | undefined {
    return this.#snapshots.get(workspaceId);
  }

  /** The version of the cached snapshot: cheaper than the snapshot, which may have to be decompressed. */
  cachedVersion(workspaceId: string): number | undefined {
    return this.#snapshots.version(workspaceId);
  }

  /**
   * The snapshot; null for an unknown workspace. If it is not cached, throws `SERVICE_UNAVAILABLE` when it cannot be
   * read, and `TOO_MANY_REQUESTS` when the caller has asked for too many that do not exist.
   */
  async find(workspaceId: string, caller: AddressKey): Promise<PreparedSnapshot | null> {
    const cached = this.cached(workspaceId);
    if (cached !== undefined) return cached;
    if (!isId("workspace", workspaceId) || this.#absent.isUnknown(workspaceId)) return null;
    if (!this.#limiter.take(caller)) throw tooManyRequests(this.#limiter.resetMs());
    const found = await this.#inTime(this.#load(workspaceId, caller));
    this.#limiter.settle(caller, found === null ? 1 : 0);
    return found;
  }

  /** Charges a caller for writing an answer of that size. Throws `TOO_MANY_REQUESTS` when they have none left. */
  countWriting(caller: AddressKey, bytes: number): void {
    if (bytes < LARGE_ANSWER || this.#limiter.takeWriting(caller, bytes)) return;
    throw tooManyRequests(this.#limiter.resetMs());
  }

  /** The ad, if its snapshot is cached. */
  cachedAd(adId: string): CachedAd | undefined {
    return this.#snapshots.ad(adId);
  }

  /** The ad; null for an unknown one. As `findAds`. */
  async findAd(adId: string, caller: AddressKey): Promise<CachedAd | null> {
    return this.cachedAd(adId) ?? (await this.findAds([adId], caller)).get(adId) ?? null;
  }

  /**
   * The ads, by id; unknown ones are absent. Those that are not cached are looked up a hundred at a time, as the snapshot of the
   * first may have the others. Throws `SERVICE_UNAVAILABLE` when they cannot be read, and finds no more of them when the caller has
   * asked for too many that do not exist.
   */
  async findAds(adIds: readonly string[], caller: AddressKey): Promise<Map<string, CachedAd>> {
    const found = new Map<string, CachedAd>();
    for (let first = 0; first < adIds.length; first += LOOKED_UP_AT_ONCE) {
      const missing: string[] = [];
      for (const adId of adIds.slice(first, first + LOOKED_UP_AT_ONCE)) {
        const cached = this.cachedAd(adId) ?? this.#absent.newAd(adId);
        if (cached !== undefined) found.set(adId, cached);
        else if (isId("ad", adId) && !this.#absent.isUnknown(adId)) missing.push(adId);
      }
      if (missing.length === 0 || !this.#limiter.take(caller)) continue;
      const looked = await this.#inTime(this.#lookUpAds(missing, caller));
      this.#limiter.settle(caller, missing.length - looked.length);
      for (const ad of looked) found.set(ad.id, ad);
    }
    return found;
  }

  /** An engine that is frozen keeps nobody waiting for long. */
  async #inTime<Found>(finding: Promise<Found>): Promise<Found> {
    try {
      return await within(this.#options.answersWithinMs ?? ANSWERS_WITHIN_MS, "a lookup", finding);
    } catch (error) {
      throw error instanceof TimeoutError ? unavailable(RETRY_AFTER_MS, { cause: error }) : error;
    }
  }

  async #lookUpAds(adIds: readonly string[], caller: AddressKey): Promise<CachedAd[]> {
    const { publications } = this.#absent;
    const { groups, failure } = await this.#adWorkspaces.group(adIds);
    const known = new Set([...groups.values()].flat());
    if (failure === null)
      for (const id of adIds) if (!known.has(id)) this.#absent.addUnknown(id, publications);
    const found: CachedAd[] = [];
    // One workspace after the other, as the snapshot of the next may push this one out.
    for (const [workspaceId, ids] of groups) {
      // Each further workspace counts until it is read, as its snapshot may be large: `#load` charges for that.
      const isFurther = found.length > 0;
      if (isFurther && !this.#limiter.take(caller)) break;
      const rules = (await this.#newestRules(workspaceId, caller)) ?? NO_OWN_RULES;
      if (isFurther) this.#limiter.settle(caller, 0);
      for (const id of ids) {
        const ad = { id, workspaceId, servedUntil: Number.NEGATIVE_INFINITY, rules };
        const cached = this.cachedAd(id);
        if (cached === undefined) this.#absent.addNew(ad, publications);
        found.push(cached ?? ad);
      }
    }
    // What could be read is cached, so that callers find it all the same.
    if (failure !== null) throw failure;
    return found;
  }

  /**
   * Caches the workspace's newest snapshot, and returns its rules. Anybody can submit ads that no snapshot has, and ask for each:
   * the snapshot is read only if it is not the one that is cached.
   */
  async #newestRules(workspaceId: string, caller: AddressKey): Promise<EventRules | null> {
    const cached = this.#snapshots.version(workspaceId);
    if (cached === undefined) return (await this.#load(workspaceId, caller))?.rules ?? null;
    const newest = (await this.#reader.versions([workspaceId])).get(workspaceId);
    if (newest === undefined || newest > cached) return (await this.#load(workspaceId))?.rules ?? null;
    return this.#snapshots.rules(workspaceId) ?? null;
  }

  /** Stops checks and the subscription. */
  close(): void {
    this.#check.close();
    this.#unsubscribe();
  }

  /** Loads a snapshot and charges `caller` for it. Without one it has to be newer than the cached one, and nobody is charged. */
  #load(workspaceId: string, caller?: AddressKey): Promise<PreparedSnapshot | null> {
    const load = async () => {
      const { publications } = this.#absent;
      this.#published.set(workspaceId, 0);
      try {
        const snapshot = await this.#reader.read(workspaceId, () => this.#published.get(workspaceId) ?? 0);
        if (snapshot === null) {
          this.#absent.addUnknown(workspaceId, publications);
          return null;
        }
        const isNewer = () => (this.cachedVersion(workspaceId) ?? -1) < snapshot.version;
        const prepared = await this.#cache(snapshot, isNewer);
        if (prepared === null) return this.cached(workspaceId) ?? null;
        if (caller !== undefined) this.#limiter.charge(caller, sizeOf(prepared));
        return prepared;
      } finally {
        const published = this.#published.get(workspaceId) ?? 0;
        this.#published.delete(workspaceId);
        // In a later round, because this load is still under way.
        setImmediate(() => this.#loadIfNewer(workspaceId, published));
      }
    };
    // The cached snapshot will not do.
    if (caller === undefined) {
      return this.#loads.run(workspaceId, "publications", { known: () => undefined, load });
    }
    const known = () => this.cached(workspaceId) ?? (this.#absent.isUnknown(workspaceId) ? null : undefined);
    return this.#loads.run(workspaceId, caller, { known, load });
  }

  #onPublished(workspaceId: string, version: number): void {
    this.#absent.forget();
    const published = this.#published.get(workspaceId);
    if (published !== undefined) this.#published.set(workspaceId, Math.max(published, version));
    else this.#loadIfNewer(workspaceId, version);
  }

  /** After a failure the next check tries again. */
  #loadIfNewer(workspaceId: string, version: number): void {
    if ((this.#snapshots.version(workspaceId) ?? version) < version) this.#load(workspaceId).catch(() => {});
  }

  /** The store has an older snapshot than this process: it was restored from a backup, or the database was. */
  async #restore(workspaceId: string, cached: number): Promise<void> {
    const snapshot = await this.#reader.restore(workspaceId);
    if (snapshot === null || snapshot.version >= cached) return;
    await this.#cache(snapshot, () => this.#snapshots.version(workspaceId) === cached);
  }

  /** Caches a snapshot if it is still `wanted` once it is prepared; null if not. */
  async #cache(snapshot: Snapshot, wanted: () => boolean): Promise<PreparedSnapshot | null> {
    if (!wanted()) return null;
    const prepared = await prepareInRounds(snapshot);
    const packed = await packIfLarge(prepared);
    if (!wanted()) return null;
    this.#snapshots.set(prepared, packed);
    return prepared;
  }
}
