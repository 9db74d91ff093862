import { Gauge, type Registry } from "prom-client";
import type { WatchedLog } from "#libs/event-log/index.ts";
import type { ReadinessCheck } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";

/** The checks without which every event is answered with 503; ads are served all the same. */
export const TRACKING_NEEDS = ["event log", "limits"] as const;

/** Makes the checks of what tracking writes to, and registers them as metrics, asked at each scrape. */
export function watchTracking(
  log: Pick<WatchedLog, "isWritable">,
  limits: Pick<Limits, "isWritable">,
  registry: Registry,
): ReadinessCheck[] {
  const [logName, limitsName] = TRACKING_NEEDS;
  new Gauge({
    name: "tracking_log_writable",
    help: "0 while the event log takes no events, so that all are answered with 503",
    aggregator: "min",
    registers: [registry],
    collect() {
      this.set(Number(log.isWritable));
    },
  });
  new Gauge({
    name: "tracking_limits_writable",
    help: "0 while events cannot be judged, as Redis takes no writes, so that all are answered with 503",
    aggregator: "min",
    registers: [registry],
    async collect() {
      this.set(Number(await limits.isWritable()));
    },
  });
  return [
    { name: logName, check: async () => log.isWritable },
    { name: limitsName, check: () => limits.isWritable() },
  ];
}
