import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";
import type { SpillState } from "#libs/event-log/index.ts";

/** Registers metrics of the spill, read at each scrape. */
export function registerSpillMetrics(registry: Registry, spillState: () => SpillState): void {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    read: (state: SpillState) => number,
    aggregator: Aggregator = "sum",
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
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
  gauge("placard_spill_bytes", "Bytes on disk that wait for the event log", (state) => state.waitingBytes);
  gauge(
    "placard_spill_max_bytes",
    "Bytes that may wait; beyond them events are refused",
    (state) => state.maxBytes,
  );
  new Gauge({
    name: "placard_spill_batches",
    help: "Batches on disk, by what they wait for: the event log (unsent), to see what it took (unclear)",
    labelNames: ["queue"],
    registers,
    collect() {
      for (const [queue, { batches }] of Object.entries(spillState().waiting)) this.set({ queue }, batches);
    },
  });
  gauge(
    "placard_spill_oldest_age_seconds",
    "Age of the oldest batch that waits; 0 if none does",
    (state) => state.oldestAgeSeconds,
    "max",
  );
  gauge(
    "placard_spill_log_away",
    "1 while the event log is away and batches go to the spill",
    (state) => Number(state.logIsAway),
    "max",
  );
  counter("placard_spill_spilled_batches_total", "Batches written to the spill", (state) => state.spilled);
  counter(
    "placard_spill_replayed_batches_total",
    "Spilled batches that the event log has accepted",
    (state) => state.replayed,
  );
  counter(
    "placard_spill_refused_batches_total",
    "Batches that the spill refused because it was full or not writable",
    (state) => state.refused,
  );
}
