import { LRUCache } from "lru-cache";
import { type Snapshot, snapshotLength } from "#libs/placements/index.ts";

/** Each process prepares as much in a tenth of a second or less. */
const BYTES_PER_SECOND_OF_REST = 4 * 1024 * 1024;
/** A shorter rest is none, in milliseconds: the queue looks for jobs that are due less often. */
const SHORTEST_MS = 100;
const MOST_WORKSPACES = 10_000;

/**
 * The rests of workspaces between publications of their snapshots, which take time in every process: a second for each 4 MiB.
 * Changes meanwhile are published together. So however often a large workspace changes, publishing it takes a tenth of the time at
 * most, and one of ordinary size never rests.
 */
export class PublicationRests {
  /** Until when each rests; Infinity while it is being published. */
  readonly #until = new LRUCache<string, number>({ max: MOST_WORKSPACES });
  readonly #now: () => number;

  /** `now` in milliseconds, from any origin. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until the workspace may be published; 0 if it may be now. */
  waitMs(workspaceId: string): number {
    const until = this.#until.get(workspaceId) ?? 0;
    return until === Number.POSITIVE_INFINITY ? SHORTEST_MS : Math.max(0, until - this.#now());
  }

  /** Publishes the snapshot that `load` reads, if there is one, after which the workspace rests. It does not after a failure. */
  async publish(
    workspaceId: string,
    load: () => Promise<Snapshot | null>,
    send: (snapshot: Snapshot) => Promise<unknown>,
  ): Promise<void> {
    this.#until.set(workspaceId, Number.POSITIVE_INFINITY);
    let restMs = 0;
    try {
      const snapshot = await load();
      if (snapshot === null) return;
      await send(snapshot);
      restMs = (snapshotLength(snapshot) * 1_000) / BYTES_PER_SECOND_OF_REST;
    } finally {
      if (restMs < SHORTEST_MS) this.#until.delete(workspaceId);
      else this.#until.set(workspaceId, this.#now() + restMs);
    }
  }
}
