import { LRUCache } from "lru-cache";
import { type Snapshot, snapshotLength } from "#libs/placements/index.ts";

/** Each process prepares as much in a tenth of a second or less. */
const BYTES_PER_SECOND_OF_REST = 4 * 1024 * 1024;
/** A shorter rest is none, in milliseconds: the queue looks for jobs that are due less often. */
const SHORTEST_MS = 100;
const MOST_OWNERS = 10_000;

/**
 * The rests of owners of workspaces between publications of snapshots, which take time in every process: a second for each 4 MiB.
 * Changes meanwhile are published together. So however often somebody changes large workspaces, and however many they have,
 * publishing them takes a tenth of the time at most, and who has those of ordinary size never rests.
 */
export class PublicationRests {
  /** Until when each rests; Infinity while it is being published. */
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

  /** Publishes the snapshot that `load` reads, if there is one, after which the owner's workspaces rest. It does not after a failure. */
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
