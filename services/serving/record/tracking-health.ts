import { Gauge, type Registry } from "prom-client";
import type { WatchedLog } from "#libs/event-log/index.ts";
import type { ReadinessCheck } from "#libs/http/index.ts";

/** The checks without which every event is answered with 503. Ads are still served. */
export const TRACKING_NEEDS = ["event log"] as const;

/** Creates the check of the log that tracking writes to, and registers it as a metric. */
export function watchTracking(log: Pick<WatchedLog, "isWritable">, registry: Registry): ReadinessCheck {
  new Gauge({
    name: "placard_tracking_log_writable",
    help: "0 while the event log accepts no events, so that all are answered with 503",
    aggregator: "min",
    registers: [registry],
    collect() {
      this.set(Number(log.isWritable));
    },
  });
  return { name: TRACKING_NEEDS[0], check: async () => log.isWritable };
}
