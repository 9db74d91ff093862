import { setTimeout as sleep } from "node:timers/promises";
import { EventLogError } from "./errors.ts";
import type { KafkaBuffer } from "./kafka-buffer.ts";
import type { KafkaLink } from "./kafka-link.ts";
import { boundsOf, fetchBatches, type ReadPosition } from "./kafka-reading.ts";
import { answerOf } from "./kafka-refusals.ts";

export interface KafkaFetcherOptions {
  readonly link: KafkaLink;
  readonly topic: string;
  readonly onWarning: (message: string) => void;
}

const FETCH = { maxBytes: 1024 * 1024, maxWaitMs: 200 };
/** A buffer with room again waits so long at most. */
const IDLE_MS = 20;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/** Fills the buffers of all partitions that this process owns, with one waiting request to each of their leaders. */
export class KafkaFetcher {
  readonly #options: KafkaFetcherOptions;
  readonly #buffers = new Map<number, KafkaBuffer>();

  constructor(options: KafkaFetcherOptions) {
    this.#options = options;
  }

  add(partition: number, buffer: KafkaBuffer): void {
    this.#buffers.set(partition, buffer);
  }

  remove(partition: number, buffer: KafkaBuffer): void {
    if (this.#buffers.get(partition) === buffer) this.#buffers.delete(partition);
  }

  /** Fetches until the signal aborts, whatever the brokers do. */
  async run(signal: AbortSignal): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const positions = this.#positions();
      try {
        if (positions.length === 0) await pauseFor(IDLE_MS, signal);
        else await this.#fetch(positions);
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (answerOf(error) === "OFFSET_OUT_OF_RANGE") await this.#find(positions).catch(() => undefined);
        else this.#options.onWarning(`Events could not be read: ${String(error)}`);
        await pauseFor(pause, signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  #positions(): ReadPosition[] {
    return [...this.#buffers].flatMap(([partition, { wanted }]) =>
      wanted === null ? [] : [{ partition, from: wanted }],
    );
  }

  async #fetch(positions: readonly ReadPosition[]): Promise<void> {
    const { link, topic } = this.#options;
    const into = new Map(this.#buffers);
    await link.use(async (cluster) => {
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
      for (const fetched of (await Promise.all(fetching)).flat()) {
        const from = positions.find(({ partition }) => partition === fetched.partition)?.from;
        if (from !== undefined) into.get(fetched.partition)?.add(from, fetched);
      }
    });
  }

  /** Finds out what became of positions that the log does not hold: removed by retention, or lost with a broker. */
  async #find(positions: readonly ReadPosition[]): Promise<void> {
    const { link, topic, onWarning } = this.#options;
    for (const { partition, from } of positions) {
      const buffer = this.#buffers.get(partition);
      if (buffer?.wanted !== from) continue;
      const { begin, end } = await link.use((cluster) => boundsOf(cluster, topic, partition));
      if (from < begin) {
        onWarning(
          `Retention has removed events of ${topic}:${partition} from ${from} to ${begin} before they were read.`,
        );
        buffer.skipTo(begin);
      } else if (from > end)
        buffer.fail(
          new EventLogError(
            "DAMAGED",
            `${topic}:${partition} ends at ${end}, and ${from} has been reached before: the brokers have lost events.`,
          ),
        );
    }
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
