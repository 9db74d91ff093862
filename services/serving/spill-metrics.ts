import { Counter, Gauge, type Registry } from "prom-client";
import type { SpillState } from "#libs/event-log/index.ts";

/** Registers what waits in the spill and what has gone through it, asked at each scrape. */
export function registerSpillMetrics(registry: Registry, spillState: () => SpillState): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (state: SpillState) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(spillState()));
      },
    });
  const counter = (name: string, help: string, read: (state: SpillState) => number) => {
    let counted = 0;
    return new Counter({
      name,
      help,
      registers,
      collect() {
        const now = read(spillState());
        this.inc(now - counted);
        counted = now;
      },
    });
  };
  gauge("spill_bytes", "Bytes on disk that wait for the event log", (state) => state.waitingBytes);
  gauge("spill_max_bytes", "Bytes that may wait; beyond them events are refused", (state) => state.maxBytes);
  gauge("spill_batches", "Batches on disk that wait for the event log", (state) => state.waitingBatches);
  gauge(
    "spill_oldest_age_seconds",
    "Age of the batch that has waited longest; 0 where none waits",
    (state) => state.oldestAgeSeconds,
  );
  gauge("spill_log_away", "1 while the event log is away and batches go to the spill", (state) =>
    Number(state.logIsAway),
  );
  counter("spill_spilled_batches_total", "Batches written to the spill", (state) => state.spilled);
  counter(
    "spill_replayed_batches_total",
    "Spilled batches that the event log took",
    (state) => state.replayed,
  );
  counter(
    "spill_refused_batches_total",
    "Batches that the spill refused, being full or not writable",
    (state) => state.refused,
  );
}
