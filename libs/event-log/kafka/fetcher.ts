import { pause, retry } from "#libs/async/index.ts";
import { EventLogError } from "../errors.ts";
import { errorTypeOf } from "./broker-errors.ts";
import type { ClusterConnection } from "./connection.ts";
import { fetchBatches, offsetBounds, type ReadPosition } from "./fetch.ts";
import type { FetchBuffer } from "./fetch-buffer.ts";

export interface FetcherOptions {
  readonly connection: ClusterConnection;
  readonly topic: string;
  readonly onWarning: (message: string) => void;
}

const FETCH = { maxBytes: 1024 * 1024, maxWaitMs: 200 };
/**
 * After a response that had something, and not much: what comes next is fetched together, in milliseconds. A range waits longer for its
 * batches, and an answer to each single batch costs the broker and this process more than the batch.
 */
const GATHERED_MS = 100;
/** With more from a partition it is catching up, and fetches at once, in bytes. */
const MUCH = FETCH.maxBytes / 4;
/** How often full buffers are checked for room, in milliseconds. */
const IDLE_MS = 20;
const PAUSES = { firstMs: 50, longestMs: 2000 };

/** Fills the buffers of all partitions of this process, with one long poll per leader. */
export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #buffers = new Map<number, FetchBuffer>();

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  add(partition: number, buffer: FetchBuffer): void {
    this.#buffers.set(partition, buffer);
  }

  remove(partition: number, buffer: FetchBuffer): void {
    if (this.#buffers.get(partition) === buffer) this.#buffers.delete(partition);
  }

  /** Fetches until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const onFailure = (error: unknown) => {
      if (!isOutOfRange(error)) this.#options.onWarning(`Events could not be read: ${String(error)}`);
    };
    while (!signal.aborted)
      await retry(() => this.#fetchNext(signal), { ...PAUSES, signal, onFailure }).catch(() => undefined);
  }

  async #fetchNext(signal: AbortSignal): Promise<void> {
    const positions = this.#positions();
    if (positions.length === 0) return pause(IDLE_MS, signal);
    try {
      const most = await this.#fetch(positions);
      if (most > 0 && most < MUCH) await pause(GATHERED_MS, signal);
    } catch (error) {
      if (isOutOfRange(error)) await this.#moveIntoBounds(positions).catch(() => undefined);
      throw error;
    }
  }

  #positions(): ReadPosition[] {
    return [...this.#buffers].flatMap(([partition, { wanted }]) =>
      wanted === null ? [] : [{ partition, from: wanted }],
    );
  }

  /** The bytes of the partition that had most. */
  async #fetch(positions: readonly ReadPosition[]): Promise<number> {
    const { connection, topic } = this.#options;
    const into = new Map(this.#buffers);
    return await connection.use(async (cluster) => {
      const numbers = positions.map(({ partition }) => partition);
      const leaders = Object.values(cluster.findLeaderForPartitions(topic, numbers));
      const fetching = leaders.map((led) =>
        fetchBatches(
          cluster,
          topic,
          positions.filter(({ partition }) => led.includes(partition)),
          FETCH,
        ),
      );
      const all = (await Promise.all(fetching)).flat();
      for (const fetched of all) {
        const from = positions.find(({ partition }) => partition === fetched.partition)?.from;
        if (from !== undefined) into.get(fetched.partition)?.add(from, fetched);
      }
      return Math.max(
        ...all.map(({ batches }) => batches.reduce((sum, { batch }) => sum + batch.rows.length, 0)),
      );
    });
  }

  /** Handles positions out of range: skips what retention has removed, and stops at a log that has lost its end. */
  async #moveIntoBounds(positions: readonly ReadPosition[]): Promise<void> {
    const { connection, topic, onWarning } = this.#options;
    for (const { partition, from } of positions) {
      const buffer = this.#buffers.get(partition);
      if (buffer?.wanted !== from) continue;
      const { begin, end } = await connection.use((cluster) => offsetBounds(cluster, topic, partition));
      if (from < begin) {
        onWarning(
          `Retention has removed events of ${topic}:${partition} from ${from} to ${begin} before they were read.`,
        );
        buffer.skipTo(begin);
      } else if (from > end)
        buffer.fail(
          new EventLogError(
            "DAMAGED",
            `${topic}:${partition} ends at ${end}, but was read up to ${from} before: the brokers have lost events.`,
          ),
        );
    }
  }
}

function isOutOfRange(error: unknown): boolean {
  return errorTypeOf(error) === "OFFSET_OUT_OF_RANGE";
}
