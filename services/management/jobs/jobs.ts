import { type TaskList, Logger as WorkerLogger } from "graphile-worker";
import type pg from "pg";
import { z } from "zod";
import { within } from "#libs/http/index.ts";
import { createSnapshotSource, type Placements, rebuildSnapshots } from "#libs/placements/index.ts";
import { closeOpenCheckouts } from "../checkout/close-checkouts.ts";
import { ADOPTION_SCHEDULE, adoptImages } from "../image-copies/adopt.ts";
import { copyNextImage } from "../image-copies/copy.ts";
import { REPORT_SCHEDULE, reportWorkspace, startReports } from "../mails/reports/reports.ts";
import { finishErasure } from "../privacy/finish-erasure.ts";
import { eraseEvents } from "../privacy/late-events.ts";
import { createReconciliationMetrics } from "../reconciliation/metrics.ts";
import { RECONCILIATION_SCHEDULE, runReconciliation } from "../reconciliation/runs.ts";
import type { Services } from "../services.ts";
import { COMPARISON_SCHEDULE } from "../serving-feed/comparison.ts";
import { tellOnSale } from "../tiers/on-sale.ts";
import { lookAgain } from "../uploads/inspection.ts";
import { removeUnusedUploads } from "../uploads/unused.ts";
import { applyEvent } from "../webhooks/apply.ts";
import { measureInbox } from "../webhooks/metrics.ts";
import { fetchFavicon } from "./favicon.ts";
import { sendMail } from "./mail.ts";
import { Presence } from "./presence.ts";
import { keepRunner } from "./runner.ts";
import { sweep } from "./sweep.ts";

const snapshotJob = z.object({ workspaceId: z.string() });
const webhookJob = z.object({ eventId: z.string() });
const onSaleJob = z.object({ workspaceId: z.string(), tierId: z.string() });

/** What comes round by itself, in UTC; what fell due while no process was running is caught up with within `fill`. */
export const SCHEDULE = [
  "17 3 * * * sweep ?fill=1d&max=3",
  ADOPTION_SCHEDULE,
  RECONCILIATION_SCHEDULE,
  REPORT_SCHEDULE,
].join("\n");

/** The longest that stopping waits for jobs under way, some of which may be asking a database that is away. */
const STOP_WITHIN_MS = 3_000;

/** How many jobs of one process run at a time; each may hold a database connection while it works. */
const CONCURRENCY = { serving: 2, copies: 3, others: 4 };

export interface JobsOptions {
  /** Whether jobs also begin by the clock; without it only those that are queued run. Default true. */
  readonly hasSchedule?: boolean;
}

/**
 * Runs management's jobs in this process:
 * - `snapshot` publishes what is eligible to serving; `compare-snapshots` finds each minute what was not published
 * - `webhook` applies an event of the payment processor; `reconcile` compares with the processor every hour
 * - `on-sale` tells the processor which tiers and prices are archived
 * - `close-checkouts` ends the open checkouts of a suspended workspace
 * - `mail` sends a mail; `monthly-reports` and `workspace-reports` write to advertisers on the first of a month
 * - `favicon` looks for the icon of a site; `copy-images` copies advertisers' images from other sites, and `adopt-images`
 *   finds those that older releases did not copy; `image` checks an approved image again
 * - `erase-workspace` and `erase-events` remove the rest of a deleted workspace
 * - `unused-uploads` removes, within the hour, the files of drafts that were replaced; `sweep` removes once a day what expired
 *
 * Jobs are queued in the transaction of the change that they belong to, and retried with backoff. Publishing and copying have
 * runners of their own, because all others may be waiting for a processor or mail server that does not answer.
 */
export async function startJobs(
  services: Services,
  pool: pg.Pool,
  placements: Placements,
  { hasSchedule = true }: JobsOptions = {},
): Promise<{ close(): Promise<void> }> {
  const source = createSnapshotSource(services.db);
  const stopping = new AbortController();
  const reconciliation = createReconciliationMetrics(services.metrics);
  measureInbox(services);
  const presence = new Presence({ pool, logger: services.logger });
  await presence.open();
  const start = (concurrency: number, taskList: TaskList, crontab: string) =>
    keepRunner(
      {
        pgPool: pool,
        concurrency,
        noHandleSignals: true,
        crontab: hasSchedule ? crontab : "",
        logger: workerLogger(services),
        taskList,
      },
      presence,
      services.logger,
    );
  const serving = await start(
    CONCURRENCY.serving,
    {
      snapshot: async (payload) => {
        const { workspaceId } = snapshotJob.parse(payload);
        const snapshot = await source.loadSnapshot(workspaceId);
        if (snapshot !== null) await placements.publish(snapshot);
      },
      "compare-snapshots": async () => {
        const { signal } = stopping;
        await rebuildSnapshots({ source, placements, which: "outdated", signal });
      },
    },
    COMPARISON_SCHEDULE,
  );
  const copies = await start(
    CONCURRENCY.copies,
    {
      "copy-images": async (payload) => copyNextImage(services, payload, stopping.signal),
      favicon: async (payload) => fetchFavicon(services, payload, stopping.signal),
    },
    "",
  );
  const others = await start(
    CONCURRENCY.others,
    {
      webhook: async (payload) => applyEvent(services, webhookJob.parse(payload).eventId),
      "on-sale": async (payload) => {
        await tellOnSale(services, onSaleJob.parse(payload));
      },
      mail: async (payload) => sendMail(services, payload),
      "monthly-reports": async (payload) => startReports(services, payload),
      "workspace-reports": async (payload) => reportWorkspace(services, payload),
      "close-checkouts": async (payload) => closeOpenCheckouts(services, payload),
      reconcile: async (payload) => runReconciliation(services, reconciliation, payload),
      "adopt-images": async () => adoptImages(services),
      image: async (payload) => lookAgain(services, payload),
      "unused-uploads": async () => removeUnusedUploads(services),
      "erase-workspace": async (payload) => finishErasure(services, placements, payload),
      "erase-events": async (payload) => eraseEvents(services, payload),
      sweep: async () => sweep(services),
    },
    SCHEDULE,
  );
  const runners = [serving, copies, others];
  return {
    async close() {
      stopping.abort(new Error("the jobs are stopping"));
      try {
        await within(STOP_WITHIN_MS, "jobs under way", Promise.all(runners.map((runner) => runner.stop())));
      } catch (error) {
        // They are tried again, by who misses this process (`presence.ts`).
        services.logger.warn({ err: error }, "jobs were left unfinished");
      } finally {
        await presence.close();
      }
    },
  };
}

/**
 * Lets jobs that a killed process held be taken again at once, not only after the hours that a lock is good for. Only for
 * an installation that is one process: any other that is at work on a job would see it done twice.
 */
export async function unlockJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker._private_jobs where locked_by is not null having count(*) > 0
  `);
}

/** The worker's own talk goes to our log: what it does at debug, what fails as it is. */
function workerLogger({ logger }: Services): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    const ours = level === "error" ? "error" : level === "warning" ? "warn" : "debug";
    logger[ours]({ job: scope.taskIdentifier, ...(ours === "debug" ? {} : { meta }) }, message);
  });
}
