import { KeyHasher, RecentNumbers } from "#libs/off-heap-map/index.ts";

/** An address takes about 30 bytes a minute, ad and kind. Beyond this the oldest counts are forgotten. */
const MOST_COUNTS = 500_000;
/** Longer than a minute, because servers report events of earlier minutes. */
const LIVES_MS = 600_000;

/**
 * Counts the events that this process has taken per limit key, so that it refuses a flood without asking another process. Ingestion
 * applies the same limits to the events of all processes together.
 */
export class ProcessLimits {
  readonly #taken = new RecentNumbers({ maxKeys: MOST_COUNTS, livesMs: LIVES_MS });
  readonly #hasher = new KeyHasher();

  /** Takes one event from the limit; false when none is left. A limit of 0 allows any number. */
  take(limitKey: string, limit: number): boolean {
    if (limit === 0) return true;
    const key = this.#hasher.hash("limit", limitKey);
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= limit) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }

  /** Gives back one that was taken for an event that was not stored. */
  giveBack(limitKey: string): void {
    const key = this.#hasher.hash("limit", limitKey);
    const taken = this.#taken.get(key) ?? 0;
    if (taken > 0) this.#taken.set(key, taken - 1);
  }

  /** Drops expired counts. Call it now and then. */
  expire(): void {
    this.#taken.expire();
  }
}
