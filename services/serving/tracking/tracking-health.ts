import { Gauge, type Registry } from "prom-client";
import type { SpillingLog, WatchedLog } from "#libs/event-log/index.ts";
import type { ReadinessCheck } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";

/** The checks without which every event is answered with 503. Ads are still served. */
export const TRACKING_NEEDS = ["event log", "limits"] as const;

/**
 * Creates the checks of the stores that tracking writes to, and registers them as metrics. With a spill that has room, the limits
 * need not be there: events are judged later.
 */
export function watchTracking(
  log: Pick<WatchedLog, "isWritable">,
  limits: Pick<Limits, "isWritable">,
  registry: Registry,
  spill?: Pick<SpillingLog, "spillState">,
): ReadinessCheck[] {
  const [logName, limitsName] = TRACKING_NEEDS;
  const hasRoom = () => spill?.spillState().isFull === false;
  new Gauge({
    name: "placard_tracking_log_writable",
    help: "0 while the event log accepts no events, so that all are answered with 503",
    aggregator: "min",
    registers: [registry],
    collect() {
      this.set(Number(log.isWritable));
    },
  });
  new Gauge({
    name: "placard_tracking_limits_writable",
    help: "0 while Redis accepts no writes, so that no event can be judged: events wait in the spill, or are answered with 503 where there is none",
    aggregator: "min",
    registers: [registry],
    async collect() {
      this.set(Number(await limits.isWritable()));
    },
  });
  return [
    { name: logName, check: async () => log.isWritable },
    { name: limitsName, check: async () => (await limits.isWritable()) || hasRoom() },
  ];
}
