import type { TaskList } from "graphile-worker";
import type pg from "pg";
import { createThrottledWarning, within } from "#libs/async/index.ts";
import { ownerOf } from "#libs/database/owner.ts";
import type { Mail } from "#libs/mail/index.ts";
import { createSnapshotSource, type Placements, rebuildSnapshots } from "#libs/placements/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { recordSighting } from "../accounts/workspaces/queries.ts";
import { proposeCorrections } from "../ads/corrections/propose.ts";
import { settleDueRefund, tellOverdueRefund } from "../ads/due-refunds.ts";
import { closeOpenCheckouts } from "../billing/checkout/close-checkouts.ts";
import { isGone } from "../billing/connect/account.ts";
import { tellGraceEnds } from "../billing/letters/grace.ts";
import { remindOfMissingAds } from "../billing/letters/purchases.ts";
import { createReconciliationMetrics, runReconciliation } from "../billing/reconciliation/runs.ts";
import { queueAllCharging } from "../billing/subscriptions/charging-queries.ts";
import { refreshGrace } from "../billing/subscriptions/refresh-grace.ts";
import { type ChargingPorts, settleCharging } from "../billing/subscriptions/settle-charging.ts";
import { applyEvent } from "../billing/webhooks/apply.ts";
import { type InboxPorts, measureInbox } from "../billing/webhooks/metrics.ts";
import { tellOnSale } from "../catalogue/tiers/on-sale.ts";
import { sendMail } from "../mail/delivery.ts";
import { measureDropped } from "../mail/dropped.ts";
import { sendLinks } from "../mail/lost-links.ts";
import { measureMail } from "../mail/measured-mail.ts";
import { sendDigest } from "../mail/to-publisher.ts";
import { fetchFavicon } from "../media/favicons/fetch.ts";
import type { LookUpPorts } from "../media/favicons/look-up.ts";
import { adoptImages } from "../media/image-copies/adopt.ts";
import { type CopyPorts, copyNextImage } from "../media/image-copies/copy.ts";
import { removeReplaced } from "../media/uploads/inspection.ts";
import { removeUnusedUploads } from "../media/uploads/removal.ts";
import { eraseEvents } from "../privacy/erase-workspace.ts";
import { finishErasure } from "../privacy/finish-erasure.ts";
import type { Retention } from "../privacy/retention.ts";
import { bringForward, enqueue } from "../queue/enqueue.ts";
import { RUNNERS, type RunnerName, type Task } from "../queue/task.ts";
import { isTaskName, type Payloads, TASKS, type TaskName } from "../queue/tasks.ts";
import { sendAlerts } from "../reports/alerts.ts";
import { type ReportEmailPorts, reportWorkspace, startReports } from "../reports/emails/send.ts";
import { PublicationRests } from "../snapshots/publication-rests.ts";
import { fillCounts } from "./fill-counts.ts";
import { measureJobs } from "./job-metrics.ts";
import { WorkerLiveness } from "./liveness.ts";
import { keepRunner } from "./runner.ts";
import { sweep } from "./sweep.ts";
import { workerLogger } from "./worker-log.ts";

/** How long stopping waits for running jobs, which may be waiting for an unavailable database. */
const STOP_WITHIN_MS = 3_000;

/**
 * `places`: jobs that run at a time in one process; each may hold a database connection. `looksEveryMs`: the time between
 * looks for jobs that have become due; new jobs are announced.
 */
const SETTINGS: Readonly<Record<RunnerName, { readonly places: number; readonly looksEveryMs: number }>> = {
  // Changes reach serving within a second.
  publishing: { places: 2, looksEveryMs: 500 },
  fetching: { places: 3, looksEveryMs: 2_000 },
  lengthy: { places: 3, looksEveryMs: 2_000 },
  general: { places: 4, looksEveryMs: 2_000 },
};

/** What the tasks use. */
export interface JobPorts
  extends ChargingPorts,
    CopyPorts,
    InboxPorts,
    LookUpPorts,
    Omit<ReportEmailPorts, "stats"> {
  readonly stats: ReportEmailPorts["stats"] &
    Pick<StatsStore, "busyAds" | "eraseWorkspaces" | "monthsToFill" | "daysToFill" | "fillCounts">;
  readonly mail: Mail;
  readonly retention: Retention;
}

type Handlers = { readonly [Name in TaskName]: (payload: Payloads[Name]) => Promise<unknown> };

function createHandlers(ports: JobPorts, placements: Placements, signal: AbortSignal): Handlers {
  const source = createSnapshotSource(ports.db);
  const rests = new PublicationRests();
  const reconciliation = createReconciliationMetrics(ports);
  const mail = measureMail(ports.mail, ports.metrics);
  return {
    snapshot: async ({ workspaceId }) => {
      const owner = await ownerOf(ports.db, workspaceId);
      const afterMs = rests.waitMs(owner);
      if (afterMs > 0)
        return await enqueue(ports.db, "snapshot", { workspaceId }, { afterMs, keepsRunAt: true });
      const load = () => source.loadSnapshot(workspaceId);
      await rests.publish(owner, load, (snapshot) => placements.publish(snapshot));
    },
    "compare-snapshots": () => rebuildSnapshots({ source, placements, which: "outdated", signal }),
    "bring-forward": () => bringForward(ports.db),
    "refresh-grace": (payload) => refreshGrace(ports, payload),
    "copy-images": (payload) => copyNextImage(ports, payload, signal),
    favicon: (payload) => fetchFavicon(ports, payload, signal),
    "adopt-images": () => adoptImages(ports),
    image: (payload) => removeReplaced(ports, payload),
    "unused-uploads": () => removeUnusedUploads(ports),
    "settle-charging": ({ subscriptionId }) => settleCharging(ports, subscriptionId),
    "refund-due": ({ subscriptionId }) => settleDueRefund(ports, subscriptionId),
    "refund-overdue": ({ subscriptionId }) => tellOverdueRefund(ports, subscriptionId),
    webhook: ({ eventId }) => applyEvent(ports, eventId),
    reconcile: (payload) => runReconciliation(ports, reconciliation, payload),
    "on-sale": (payload) => tellOnSale({ ...ports, isGone: isGone.bind(null, ports) }, payload),
    "close-checkouts": (payload) => closeOpenCheckouts(ports, payload),
    mail: (payload) => sendMail({ ...ports, mail }, payload),
    digest: (payload) => sendDigest(ports, payload),
    "send-links": (payload) => sendLinks(ports, payload),
    "grace-ends": async () => {
      await tellGraceEnds(ports);
      await queueAllCharging(ports.db, ports.payments.moment(ports.now()).atProcessor);
    },
    "remind-of-ads": () => remindOfMissingAds(ports),
    "propose-corrections": () => proposeCorrections(ports),
    "ad-alerts": () => sendAlerts(ports),
    "report-emails": (payload) => startReports(ports.db, payload),
    "workspace-reports": (payload) => reportWorkspace(ports, payload),
    "erase-workspace": (payload) => finishErasure(ports, placements, payload),
    "erase-events": () => eraseEvents(ports),
    "fill-quarter": (payload) => fillCounts(ports, payload, signal),
    sweep: () => sweep(ports),
  };
}

/** The handlers of one runner, each with the check of its payload. */
function taskListOf(runner: RunnerName, handlers: Handlers): TaskList {
  const handle =
    <Name extends TaskName>(name: Name) =>
    async (payload: unknown) => {
      const task: Task<Payloads[Name]> = TASKS[name];
      await handlers[name](task.payload.parse(payload));
    };
  return Object.fromEntries(tasksOf(runner).map((name) => [name, handle(name)]));
}

/** The schedule of one runner's tasks, as a crontab in UTC. */
export function crontabOf(runner: RunnerName): string {
  return tasksOf(runner)
    .flatMap((name) => TASKS[name].schedule?.replace("?", `${name} ?`) ?? [])
    .join("\n");
}

function tasksOf(runner: RunnerName): TaskName[] {
  return Object.keys(TASKS)
    .filter(isTaskName)
    .filter((name) => TASKS[name].runner === runner);
}

export interface JobsOptions {
  /** Whether scheduled tasks run too, or only queued ones. Default true. */
  readonly hasSchedule?: boolean;
}

/** Runs management's background tasks (`queue/tasks.ts`) in this process. Failed jobs are retried with backoff. */
export async function startJobs(
  ports: JobPorts,
  pool: pg.Pool,
  placements: Placements,
  { hasSchedule = true }: JobsOptions = {},
): Promise<{ close(): Promise<void> }> {
  const { logger } = ports;
  const stopping = new AbortController();
  const handlers = createHandlers(ports, placements, stopping.signal);
  measureInbox(ports);
  measureDropped(ports);
  measureJobs(ports);
  const liveness = new WorkerLiveness({ pool, logger });
  await liveness.open();
  const start = (runner: RunnerName) =>
    keepRunner(
      {
        pgPool: pool,
        concurrency: SETTINGS[runner].places,
        pollInterval: SETTINGS[runner].looksEveryMs,
        noHandleSignals: true,
        crontab: hasSchedule ? crontabOf(runner) : "",
        logger: workerLogger(logger),
        taskList: taskListOf(runner, handlers),
      },
      liveness,
      logger,
    );
  const warn = createThrottledWarning((message, error) => logger.warn({ err: error }, message));
  const stopNoting = placements.onSeen((sighting) => {
    recordSighting(ports.db, sighting).catch((error) => warn("The sighting of a site was not noted.", error));
  });
  const runners: Awaited<ReturnType<typeof start>>[] = [];
  for (const runner of RUNNERS) runners.push(await start(runner));
  return {
    async close() {
      stopNoting();
      stopping.abort(new Error("the jobs are stopping"));
      try {
        await within(STOP_WITHIN_MS, "running jobs", Promise.all(runners.map((runner) => runner.stop())));
      } catch (error) {
        // Another process will run them (`liveness.ts`).
        logger.warn({ err: error }, "jobs were left unfinished");
      } finally {
        await liveness.close();
      }
    },
  };
}

/**
 * Releases the jobs of a killed process immediately, instead of after the four hours of a lock. Only for an installation of one
 * process: jobs of another would run twice.
 */
export async function unlockJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker._private_jobs where locked_by is not null having count(*) > 0
  `);
}
