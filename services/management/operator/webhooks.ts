import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import { REPAIR_KINDS, type ReconciliationReport } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { findRun, queueReconciliation } from "../billing/reconciliation/runs.ts";
import { listWaiting, readInboxState, type WaitingEvent } from "../billing/webhooks/inbox.ts";
import { enqueue } from "../queue/enqueue.ts";
import { CommandError } from "../start/command-line.ts";

/** Commands for webhooks. Each returns the lines to print, or throws `CommandError` with one sentence. */
export interface Commands {
  /** Lists events that are not applied, dead ones first. */
  list(): Promise<string[]>;
  /** Retries these events, or all dead ones if none is named. */
  retry(ids: readonly string[]): Promise<string[]>;
  /** Lets the running product compare with the payment processor, and waits for the report. */
  reconcile(): Promise<string[]>;
}

const MOST_LISTED = 100;
const MOST_RETRIED = 10_000;
const LONGEST_ERROR = 160;

/** The most time until a comparison starts, the most until it ends, and the time between checks. */
const PATIENCE = { startMs: 15_000, endMs: 15 * 60_000, everyMs: 200 };

/** The commands on one installation's database. */
export function createCommands(db: Kysely<Tables>, patience = PATIENCE): Commands {
  return {
    async list() {
      const { waiting, dead } = await readInboxState(db);
      if (waiting === 0) return ["Every webhook has been applied."];
      const events = await listWaiting(db, MOST_LISTED);
      const more = waiting - events.length;
      return [
        `${waiting} waiting, ${dead} of them dead`,
        ...events.map(describe),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
    },

    async retry(ids) {
      const chosen = ids.length > 0 ? await requireWaiting(db, ids) : await findDead(db);
      await db.transaction().execute(async (trx) => {
        for (const id of chosen) await enqueue(trx, "webhook", { eventId: id });
      });
      return [chosen.length === 0 ? "No webhook is dead." : `${chosen.length} to be tried again now`];
    },

    async reconcile() {
      const runId = await queueReconciliation(db);
      const queuedAt = performance.now();
      for (;;) {
        const run = await findRun(db, runId);
        if (run?.report != null) return describeReport(run.report);
        const waited = performance.now() - queuedAt;
        if (run?.started_at == null && waited > patience.startMs) {
          throw new CommandError("The comparison is queued, but does not start: is the product running?");
        }
        if (waited > patience.endMs) {
          throw new CommandError("The comparison continues; its outcome will be in the product's log.");
        }
        await delay(patience.everyMs);
      }
    },
  };
}

async function findDead(db: Kysely<Tables>): Promise<string[]> {
  const events = await listWaiting(db, MOST_RETRIED);
  return events.filter(({ isDead }) => isDead).map(({ id }) => id);
}

async function requireWaiting(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("webhook_events")
    .where("id", "in", ids)
    .where("applied_at", "is", null)
    .select("id")
    .execute();
  const waiting = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !waiting.has(id));
  if (missing.length > 0) {
    throw new CommandError(`Not waiting, so not to be tried again: ${missing.join(", ")}. Nothing was done.`);
  }
  return [...waiting];
}

function describe({ id, type, receivedAt, isDead, attempts, nextAt, lastError }: WaitingEvent): string {
  const state = isDead ? "dead" : `next ${nextAt?.toISOString() ?? "now"}`;
  const error = lastError === null ? "" : `  ${firstLine(lastError)}`;
  return `${id}  ${type}  received ${receivedAt.toISOString()}  ${attempts} attempts, ${state}${error}`;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, LONGEST_ERROR);
}

function describeReport(report: ReconciliationReport): string[] {
  const { accounts, subscriptions, checkouts, repaired, failed } = report;
  const repairs = REPAIR_KINDS.filter((kind) => repaired[kind].count > 0).map(
    (kind) => `repaired ${repaired[kind].count} ${kind}: ${repaired[kind].ids.join(", ")}`,
  );
  return [
    `compared ${subscriptions} subscriptions and ${checkouts} open checkouts in ${accounts} accounts`,
    ...(repairs.length > 0 ? repairs : ["nothing had drifted"]),
    ...(failed.count > 0 ? [`could not compare ${failed.count}: ${failed.ids.join(", ")}`] : []),
  ];
}
