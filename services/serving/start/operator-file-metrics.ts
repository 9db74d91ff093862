import { Counter, Gauge, type Registry } from "prom-client";
import type { WatchedFileState } from "#libs/files/index.ts";

export interface OperatorFileState extends WatchedFileState {
  /** Entries of the content that is used, where it is a list. */
  readonly entries?: number;
}

/**
 * Registers metrics of the files that the operator may change while the process runs, read at each scrape, by the setting that
 * names the file. Each process of serving reads the files itself: over several of them, the oldest content and any that is stale
 * is what counts.
 */
export function registerFileMetrics(
  registry: Registry,
  files: ReadonlyMap<string, () => OperatorFileState>,
): void {
  const labelNames = ["setting"] as const;
  const registers = [registry];
  const each = (act: (setting: string, state: OperatorFileState) => void) => {
    for (const [setting, read] of files) act(setting, read());
  };
  new Gauge({
    name: "placard_operator_file_modified_timestamp_seconds",
    help: "When the content that is in use of the setting's file was written",
    aggregator: "min",
    labelNames,
    registers,
    collect() {
      each((setting, { modifiedAt }) => this.set({ setting }, modifiedAt / 1000));
    },
  });
  new Gauge({
    name: "placard_operator_file_stale",
    help: "1 while the setting's file cannot be used and its earlier content is",
    aggregator: "max",
    labelNames,
    registers,
    collect() {
      each((setting, { isCurrent }) => this.set({ setting }, Number(!isCurrent)));
    },
  });
  new Gauge({
    name: "placard_operator_file_entries",
    help: "Entries in use of the setting's file: networks or user agents whose events do or do not count",
    aggregator: "min",
    labelNames,
    registers,
    collect() {
      each((setting, { entries }) => {
        if (entries !== undefined) this.set({ setting }, entries);
      });
    },
  });
  const counted = new Map<string, number>();
  new Counter({
    name: "placard_operator_file_failures_total",
    help: "Failed reads of the setting's file: missing, unreadable or invalid",
    labelNames,
    registers,
    collect() {
      each((setting, { failures }) => {
        this.inc({ setting }, failures - (counted.get(setting) ?? 0));
        counted.set(setting, failures);
      });
    },
  });
}
