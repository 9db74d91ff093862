import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import { REPAIR_KINDS, type ReconciliationReport } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import type { Billing } from "../mirror.ts";
import { reconcile } from "./reconcile.ts";

/** Queues a comparison with the processor and returns the id of its run, for `findRun`. */
export async function queueReconciliation(db: Kysely<Tables>): Promise<string> {
  const runId = crypto.randomUUID();
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("reconciliations").values({ id: runId }).execute();
    await enqueue(trx, "reconcile", { runId });
  });
  return runId;
}

/** The progress of a run; undefined for an unknown id. */
export async function findRun(db: Kysely<Tables>, runId: string) {
  return await db
    .selectFrom("reconciliations")
    .where("id", "=", runId)
    .select(["started_at", "finished_at", "report"])
    .executeTakeFirst();
}

/** Compares with the processor, and stores, logs and counts the report. Throws if a retry may succeed. */
export async function runReconciliation(
  billing: Billing,
  metrics: ReturnType<typeof createReconciliationMetrics>,
  { runId = crypto.randomUUID() }: Payloads["reconcile"],
): Promise<void> {
  const { db, logger, now } = billing;
  const started_at = new Date(now());
  await db
    .insertInto("reconciliations")
    .values({ id: runId, started_at })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ started_at, finished_at: null, report: null }),
    )
    .execute();
  const { report, canRetry } = await reconcile(billing);
  await db
    .updateTable("reconciliations")
    .set({ finished_at: new Date(now()), report: JSON.stringify(report) })
    .where("id", "=", runId)
    .execute();
  metrics.count(report);
  const drifted = Object.values(report.repaired).some(({ count }) => count > 0);
  logger[report.failed.count > 0 || drifted ? "warn" : "info"](
    { run: runId, ...report },
    drifted ? "repaired drift from the payment processor" : "compared with the payment processor: no drift",
  );
  warnOfLeftUnpaid(logger, report);
  if (canRetry) throw new Error("the payment processor failed during the comparison; it is repeated");
}

function warnOfLeftUnpaid(logger: Billing["logger"], { leftUnpaid }: ReconciliationReport): void {
  if (leftUnpaid.count === 0) return;
  logger.warn(
    leftUnpaid,
    "the payment processor leaves subscriptions unpaid after its last attempt: have it cancel them (infra/docs/stripe.md, Settings in the Dashboard)",
  );
}

async function lastFinished(db: Kysely<Tables>): Promise<Date | null> {
  const row = await db
    .selectFrom("reconciliations")
    .select((select) => select.fn.max("finished_at").as("finished_at"))
    .executeTakeFirst();
  return row?.finished_at ?? null;
}

/** Removes the runs that were made before `before`. */
export async function forgetOldRuns(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom("reconciliations").where("created_at", "<", before).execute();
}

export interface ReconciliationMetricsPorts {
  readonly db: Kysely<Tables>;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/**
 * Registers the metrics of reconciliation: what this process has repaired since its start, and from the table of runs when one last
 * finished in any process. Without a finished run that has no sample; while the database is unavailable it is NaN.
 */
export function createReconciliationMetrics({ db, metrics, logger }: ReconciliationMetricsPorts) {
  const registers = [metrics];
  const repairs = new Counter({
    name: "placard_reconciliation_repairs_total",
    help: "Repairs of differences from the payment processor, by kind",
    labelNames: ["kind"],
    registers,
  });
  const failures = new Counter({
    name: "placard_reconciliation_failures_total",
    help: "Comparisons with the payment processor that failed",
    registers,
  });
  new Gauge({
    name: "placard_reconciliation_finished_timestamp_seconds",
    help: "When a comparison with the payment processor last finished, in whichever process; absent before the first",
    registers,
    async collect() {
      try {
        const finishedAt = await lastFinished(db);
        if (finishedAt === null) this.remove();
        else this.set(finishedAt.getTime() / 1000);
      } catch (error) {
        logger.warn(
          { err: error },
          "could not read when the last comparison with the payment processor finished",
        );
        this.set(Number.NaN);
      }
    },
  });
  for (const kind of REPAIR_KINDS) repairs.inc({ kind }, 0);
  return {
    count({ repaired, failed }: ReconciliationReport): void {
      for (const kind of REPAIR_KINDS) repairs.inc({ kind }, repaired[kind].count);
      failures.inc(failed.count);
    },
  };
}
