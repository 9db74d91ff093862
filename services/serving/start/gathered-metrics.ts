import { AggregatorRegistry } from "prom-client";
import type { ToWorker } from "./worker-messages.ts";

/** A worker that does not answer in this time (it is starting, or stuck) is left out. */
const ANSWERS_WITHIN_MS = 1_000;

/** The workers' metrics as one text: counters and histograms added up, gauges as each says of itself. */
export class GatheredMetrics {
  readonly #gatherings = new Map<number, (metrics: readonly object[]) => void>();
  #gathered = 0;

  /** Asks each of `workers` by `ask`. */
  async gather(workers: readonly ((message: ToWorker) => void)[]): Promise<string> {
    const id = this.#gathered;
    this.#gathered += 1;
    const answers: (readonly object[])[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gatherings.set(id, (metrics) => {
      answers.push(metrics);
      if (answers.length === workers.length) resolve();
    });
    const timer = setTimeout(resolve, ANSWERS_WITHIN_MS);
    for (const ask of workers) ask({ say: "tell your metrics", id });
    if (workers.length === 0) resolve();
    await promise;
    clearTimeout(timer);
    this.#gatherings.delete(id);
    return await AggregatorRegistry.aggregate(answers.map((metrics) => [...metrics])).metrics();
  }

  /** Takes what a worker answered. */
  take(id: number, metrics: readonly object[]): void {
    this.#gatherings.get(id)?.(metrics);
  }
}
