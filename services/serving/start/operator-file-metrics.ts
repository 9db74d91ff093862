import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";
import type { WatchedFileState } from "#libs/files/index.ts";

export interface OperatorFile {
  /** The setting that names the file. */
  readonly setting: string;
  /** How the names of its metrics begin. */
  readonly metric: string;
  /** What is in it, for the descriptions: "the list of …". */
  readonly what: string;
  readonly read: () => WatchedFileState;
}

/**
 * Registers metrics of a file that the operator may change while the process runs, read at each scrape. Each process of serving
 * reads the file itself: over several of them, the oldest content and any that is stale is what counts.
 */
export function registerFileMetrics(registry: Registry, { setting, metric, what, read }: OperatorFile): void {
  registerGauge(registry, {
    name: `${metric}_modified_timestamp_seconds`,
    help: `When ${what} that is in use was written`,
    aggregator: "min",
    value: () => read().modifiedAt / 1000,
  });
  registerGauge(registry, {
    name: `${metric}_stale`,
    help: `1 while ${setting} cannot be used and its earlier content is`,
    aggregator: "max",
    value: () => Number(!read().isCurrent),
  });
  let counted = 0;
  new Counter({
    name: `${metric}_failures_total`,
    help: `Failed reads of ${setting}: missing, unreadable or invalid`,
    registers: [registry],
    collect() {
      const { failures } = read();
      this.inc(failures - counted);
      counted = failures;
    },
  });
}

export interface ReadGauge {
  readonly name: string;
  readonly help: string;
  /** How the values of serving's processes become one. */
  readonly aggregator: Aggregator;
  readonly value: () => number;
}

/** Registers a gauge that is read at each scrape. */
export function registerGauge(registry: Registry, { name, help, aggregator, value }: ReadGauge): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
