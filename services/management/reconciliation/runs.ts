import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { ReconciliationReport } from "#libs/database/tables-webhooks.ts";
import type { Services } from "../services.ts";
import type { ReconciliationMetrics } from "./metrics.ts";
import { reconcile } from "./reconcile.ts";

/** Jobs of one queue run one at a time, over all processes. */
const QUEUE = "reconcile";

/** Every hour; one that fell due while no process was running is made up for within the hour. */
export const RECONCILIATION_SCHEDULE = `27 * * * * reconcile ?fill=1h&max=3&queue=${QUEUE}&jobKey=reconcile`;

const MAX_ATTEMPTS = 3;

/** The hourly job brings no id: it makes a run of its own. */
const reconcileJob = z.object({ runId: z.string().exactOptional() });

/** Queues a comparison with the processor and returns the id of its run, which `findRun` tells of. */
export async function queueReconciliation(db: Kysely<Tables>): Promise<string> {
  const runId = crypto.randomUUID();
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("reconciliations").values({ id: runId }).execute();
    await sql`select graphile_worker.add_job(
      'reconcile', json_build_object('runId', ${runId}::text),
      queue_name => ${QUEUE}, max_attempts => ${sql.lit(MAX_ATTEMPTS)}
    )`.execute(trx);
  });
  return runId;
}

/** How far a run has come; undefined for an id that there is none of. */
export async function findRun(db: Kysely<Tables>, runId: string) {
  return await db
    .selectFrom("reconciliations")
    .where("id", "=", runId)
    .select(["started_at", "finished_at", "report"])
    .executeTakeFirst();
}

/**
 * Compares with the processor, notes what was found and says so in log and metrics. Throws, to be tried again soon, when
 * something failed that may go through then.
 */
export async function runReconciliation(
  services: Services,
  metrics: ReconciliationMetrics,
  payload: unknown,
): Promise<void> {
  const { runId = crypto.randomUUID() } = reconcileJob.parse(payload);
  await noteStart(services, runId);
  const { report, canRetry } = await reconcile(services);
  await services.db
    .updateTable("reconciliations")
    .set({ finished_at: new Date(services.now()), report: JSON.stringify(report) })
    .where("id", "=", runId)
    .execute();
  metrics.count(report);
  say(services, runId, report);
  if (canRetry) throw new Error("the payment processor failed during the comparison; it is repeated");
}

/** Removes the runs of so long ago. */
export async function forgetOldRuns(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom("reconciliations").where("created_at", "<", before).execute();
}

async function noteStart({ db, now }: Services, runId: string): Promise<void> {
  const started_at = new Date(now());
  await db
    .insertInto("reconciliations")
    .values({ id: runId, started_at })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ started_at, finished_at: null, report: null }),
    )
    .execute();
}

function say({ logger }: Services, runId: string, report: ReconciliationReport): void {
  const { repaired, failed } = report;
  const drifted = Object.values(repaired).some(({ count }) => count > 0);
  const level = failed.count > 0 || drifted ? "warn" : "info";
  logger[level](
    { run: runId, ...report },
    drifted
      ? "what had drifted from the payment processor was repaired"
      : "compared with the payment processor: nothing had drifted",
  );
}
