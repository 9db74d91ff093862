import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { forgetOldLookups } from "../favicons/queries.ts";
import { forgetOldAnswers } from "../idempotency/claims.ts";
import { forgetOldReports } from "../mails/reports/queries.ts";
import { resumeErasures } from "../privacy/erase-workspace.ts";
import { eraseLateEvents } from "../privacy/late-events.ts";
import { forgetByAge } from "../privacy/retention.ts";
import { forgetOldRuns } from "../reconciliation/runs.ts";
import type { Services } from "../services.ts";
import { refreshAllRecords } from "../uploads/arrivals.ts";
import { removeUnusedUploads } from "../uploads/unused.ts";
import { forgetAppliedEvents } from "../webhooks/inbox.ts";

/** Webhooks that were applied, and comparisons with the processor, are kept for so long; it repeats none for longer. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Removes, once a day, what has had its time: kept answers, sessions, links and invitations, entries of the audit log,
 * checkout sessions, applied webhooks, mails nobody could send, uploads that nothing uses. Continues deletions of workspaces
 * that were left unfinished, and removes events that arrived late of deleted ones.
 */
export async function sweep(
  services: Pick<Services, "db" | "logger" | "now" | "uploads" | "retention">,
): Promise<void> {
  const { db, logger, now } = services;
  const moment = new Date(now());
  await forgetOldAnswers(db, moment);
  await forgetOldLookups(db, moment);
  await forgetOldReports(db, moment);
  await forgetByAge(services);
  await resumeErasures(services);
  await eraseLateEvents(services);
  const longAgo = new Date(now() - KEPT_MS);
  await forgetAppliedEvents(db, longAgo);
  await forgetOldRuns(db, longAgo);
  const unsent = await dropUnsentMails(db);
  if (unsent > 0) logger.warn({ mails: unsent }, "mails were dropped after their last attempt");
  await refreshAllRecords(services);
  await removeUnusedUploads(services);
}

async function dropUnsentMails(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = 'mail' and attempts >= max_attempts and locked_at is null
    ))`.execute(db);
  return rows.length;
}
