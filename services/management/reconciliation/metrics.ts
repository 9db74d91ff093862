import { Counter, Gauge, type Registry } from "prom-client";
import { REPAIR_KINDS, type ReconciliationReport } from "#libs/database/tables-webhooks.ts";

export type ReconciliationMetrics = ReturnType<typeof createReconciliationMetrics>;

/** What comparisons with the payment processor came to in this process. */
export function createReconciliationMetrics(registry: Registry) {
  const registers = [registry];
  const repairs = new Counter({
    name: "reconciliation_repairs_total",
    help: "What had drifted from the payment processor and was repaired, by what it is",
    labelNames: ["kind"],
    registers,
  });
  const failures = new Counter({
    name: "reconciliation_failures_total",
    help: "What could not be compared with the payment processor",
    registers,
  });
  const finished = new Gauge({
    name: "reconciliation_finished_timestamp_seconds",
    help: "When a comparison with the payment processor last finished in this process",
    registers,
  });
  for (const kind of REPAIR_KINDS) repairs.inc({ kind }, 0);
  return {
    count({ repaired, failed }: ReconciliationReport): void {
      for (const kind of REPAIR_KINDS) repairs.inc({ kind }, repaired[kind].count);
      failures.inc(failed.count);
      finished.setToCurrentTime();
    },
  };
}
