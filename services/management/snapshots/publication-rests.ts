import { LRUCache } from "lru-cache";
import { type Snapshot, snapshotLength } from "#libs/placements/index.ts";

/** A rest takes a second for this many bytes. Each process prepares them in a tenth of a second or less. */
const BYTES_PER_SECOND_OF_REST = 4 * 1024 * 1024;
/** Shorter rests are left out, in milliseconds: the queue looks for due jobs less often than that. */
const SHORTEST_MS = 100;
const MOST_OWNERS = 10_000;

/**
 * Makes the owner of workspaces rest after each publication of a snapshot, because it takes time in every process: a second for each
 * 4 MiB. Changes meanwhile are published together. So the large workspaces of one owner take a tenth of the time at most, however many
 * they are and however often they change. An owner of ordinary workspaces never rests.
 */
export class PublicationRests {
  /** Until when each owner rests; Infinity during a publication. */
  readonly #until = new LRUCache<string, number>({ max: MOST_OWNERS });
  readonly #now: () => number;

  /** `now` in milliseconds, from any origin. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until a workspace of the owner may be published; 0 if it may be now. */
  waitMs(owner: string): number {
    const until = this.#until.get(owner) ?? 0;
    return until === Number.POSITIVE_INFINITY ? SHORTEST_MS : Math.max(0, until - this.#now());
  }

  /** Publishes the snapshot that `load` reads, if there is one. Afterwards the owner's workspaces rest, except after a failure. */
  async publish(
    owner: string,
    load: () => Promise<Snapshot | null>,
    send: (snapshot: Snapshot) => Promise<unknown>,
  ): Promise<void> {
    this.#until.set(owner, Number.POSITIVE_INFINITY);
    let restMs = 0;
    try {
      const snapshot = await load();
      if (snapshot === null) return;
      await send(snapshot);
      restMs = (snapshotLength(snapshot) * 1_000) / BYTES_PER_SECOND_OF_REST;
    } finally {
      if (restMs < SHORTEST_MS) this.#until.delete(owner);
      else this.#until.set(owner, this.#now() + restMs);
    }
  }
}
