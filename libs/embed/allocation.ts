import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import type { Ad, AdRequest, ClaimedAds } from "./types/embed.d.mts";

export type FetchAds = (request: AdRequest) => Promise<readonly Ad[]>;

interface Waiting {
  readonly request: AdRequest;
  readonly count: number;
  /** The same for claims that one request can answer. */
  readonly key: string;
  readonly fetchAds: FetchAds;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (claimed: ClaimedAds) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Hands out ads so that no two places on a page hold the same one. Claims of one turn that differ only in how many they
 * want are answered by one request, and requests follow each other, each excluding what is held by then.
 */
export class Allocation {
  readonly #held = new Set<string>();
  #waiting: Waiting[] = [];
  #isRunning = false;

  /** Rejects as `fetchAds` does, and when `signal` aborts before ads are handed out. `base` is the installation. */
  claim(base: string, request: AdRequest, fetchAds: FetchAds, signal?: AbortSignal): Promise<ClaimedAds> {
    const count = clampCount(request.count);
    const key = JSON.stringify([base, { ...request, count: 0 }]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, count, key, fetchAds, signal, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await Promise.resolve();
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup())
      await this.#answer(group);
    this.#isRunning = false;
  }

  /** Takes out the first claim and those after it that go into the same request. */
  #nextGroup(): Waiting[] {
    this.#waiting = this.#waiting.filter(isStillWanted);
    const [first] = this.#waiting;
    let room = MOST_ADS;
    const group = this.#waiting.filter(({ key, count }) => {
      if (key !== first?.key || count > room) return false;
      room -= count;
      return true;
    });
    this.#waiting = this.#waiting.filter((one) => !group.includes(one));
    return group;
  }

  async #answer(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const { request, fetchAds } = first;
    try {
      const count = group.reduce((sum, one) => sum + one.count, 0);
      const excludeIds = [...(request.excludeIds ?? []), ...this.#held];
      const ads = await fetchAds({ ...request, count, excludeIds });
      const free = ads.filter(({ id }) => !this.#held.has(id));
      for (const { count: wanted, resolve } of group.filter(isStillWanted)) {
        resolve(this.#hold(free.splice(0, wanted)));
      }
    } catch (reason) {
      for (const { reject } of group) reject(reason);
    }
  }

  #hold(ads: readonly Ad[]): ClaimedAds {
    const ids = ads.map(({ id }) => id);
    for (const id of ids) this.#held.add(id);
    return {
      ads,
      // Once: later somebody else may hold them.
      release: () => {
        for (const id of ids.splice(0)) this.#held.delete(id);
      },
    };
  }
}

/** Rejects a claim that was given up. */
function isStillWanted({ signal, reject }: Waiting): boolean {
  if (signal?.aborted) reject(signal.reason);
  return !signal?.aborted;
}

function clampCount(count = 1): number {
  return Math.min(MOST_ADS, Math.max(1, Math.floor(count) || 1));
}

declare global {
  // Found by each copy of this code on a page, whichever script it came with.
  var placardAllocation: Allocation | undefined;
}

/** The one of this page. */
export function pageAllocation(): Allocation {
  globalThis.placardAllocation ??= new Allocation();
  return globalThis.placardAllocation;
}
