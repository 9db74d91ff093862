import { AggregatorRegistry, Registry } from "prom-client";
import { expect, it } from "vitest";
import type { SpillState } from "#libs/event-log/index.ts";
import { registerSpillMetrics } from "./spill-metrics.ts";

const STATE: SpillState = {
  waitingBytes: 100,
  waitingBatches: 2,
  waiting: {
    unsent: { batches: 2, events: 20 },
    unclear: { batches: 0, events: 0 },
  },
  isFull: false,
  oldestAgeSeconds: 30,
  maxBytes: 1_000,
  logIsAway: true,
  spilled: 5,
  replayed: 3,
  refused: 1,
};

it("adds up what waits in the workers, but neither the age of the oldest batch nor whether the log is away", async () => {
  const workers = [STATE, { ...STATE, oldestAgeSeconds: 45 }].map((state) => {
    const registry = new Registry();
    registerSpillMetrics(registry, () => state);
    return registry;
  });

  const told = await Promise.all(workers.map((worker) => worker.getMetricsAsJSON()));
  const text = await AggregatorRegistry.aggregate(told).metrics();

  expect(text.split("\n").filter((line) => line.startsWith("placard_"))).toEqual([
    "placard_spill_bytes 200",
    "placard_spill_max_bytes 2000",
    'placard_spill_batches{queue="unsent"} 4',
    'placard_spill_batches{queue="unclear"} 0',
    "placard_spill_oldest_age_seconds 45",
    "placard_spill_log_away 1",
    "placard_spill_spilled_batches_total 10",
    "placard_spill_replayed_batches_total 6",
    "placard_spill_refused_batches_total 2",
  ]);
});
