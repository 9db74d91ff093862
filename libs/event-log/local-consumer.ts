import { setTimeout as sleep } from "node:timers/promises";
import { LocalPartition, type LocalPartitionOptions } from "./local-partition.ts";
import type { EventConsumer, PartitionWorker } from "./port.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/**
 * Offers the partition to its worker, again after a pause when the worker gives up, until the consumer is closed or the
 * partition has a newer owner.
 */
export class LocalConsumer implements EventConsumer {
  readonly #ending: AbortController;
  readonly #ended: Promise<void>;

  constructor(worker: PartitionWorker, options: LocalPartitionOptions) {
    this.#ending = options.ending;
    this.#ended = offerUntilEnded(worker, options);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
  }
}

async function offerUntilEnded(worker: PartitionWorker, options: LocalPartitionOptions): Promise<void> {
  const { signal } = options.ending;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const offeredAt = performance.now();
    try {
      await worker(new LocalPartition(options));
    } catch (error) {
      if (!signal.aborted) options.onWarning(`The worker of ${options.id} gave up: ${String(error)}`);
    }
    if (performance.now() - offeredAt > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
