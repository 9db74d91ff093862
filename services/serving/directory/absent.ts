import { LRUCache } from "lru-cache";
import type { CachedAd } from "./snapshot-cache.ts";

const REMEMBERED = { max: 20_000, ttl: 3_000 };

/**
 * Remembers for some seconds what no snapshot has. A publication may bring any of it, so what was asked before one is not remembered
 * after it: callers note `publications` before they ask.
 */
export class Absent {
  readonly #unknown = new LRUCache<string, true>(REMEMBERED);
  readonly #newAds = new LRUCache<string, CachedAd>(REMEMBERED);
  #publications = 0;

  /** How many there have been. */
  get publications(): number {
    return this.#publications;
  }

  /** Forgets all, because something was published. */
  forget(): void {
    this.#publications += 1;
    this.#unknown.clear();
    this.#newAds.clear();
  }

  /** Whether there is no workspace or ad with that id. */
  isUnknown(id: string): boolean {
    return this.#unknown.has(id);
  }

  addUnknown(id: string, asked: number): void {
    if (asked === this.#publications) this.#unknown.set(id, true);
  }

  /** An ad that the newest snapshot of its workspace lacks. None has ever been served, because an approval makes a newer snapshot. */
  newAd(id: string): CachedAd | undefined {
    return this.#newAds.get(id);
  }

  addNew(ad: CachedAd, asked: number): void {
    if (asked === this.#publications) this.#newAds.set(ad.id, ad);
  }
}
