import { warnOfLarge } from "../ads/approved-bytes.ts";
import { forgetOldAnswers } from "../api/idempotency/claims.ts";
import { forgetOldRuns } from "../billing/reconciliation/runs.ts";
import { forgetAppliedEvents } from "../billing/webhooks/inbox.ts";
import { warnOfLargeSales } from "../catalogue/tiers/sale-size.ts";
import { dropUnsentMails } from "../mail/dropped.ts";
import { forgetOldReports } from "../mail/report-queries.ts";
import { forgetOldLookups } from "../media/favicons/look-up.ts";
import { refreshAllRecords } from "../media/uploads/arrivals.ts";
import { type RemovalPorts, removeUnusedUploads } from "../media/uploads/removal.ts";
import { eraseLateEvents, resumeErasures } from "../privacy/erase-workspace.ts";
import { forgetByAge, type Retention } from "../privacy/retention.ts";

/** How long applied webhooks and reconciliations are kept. The payment processor never resends a webhook after that. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Removes everything past its retention, once per day: kept answers, sessions, links and invitations, entries of the audit log,
 * checkout sessions, applied webhooks, emails that could not be sent, unused uploads. Continues unfinished deletions of
 * workspaces, and removes events of deleted ones that arrived late. Warns of ads that are too large.
 */
export async function sweep(ports: RemovalPorts & { readonly retention: Retention }): Promise<void> {
  const { db, logger, now, retention } = ports;
  const moment = new Date(now());
  await forgetOldAnswers(db, moment);
  await forgetOldLookups(db, moment);
  await forgetOldReports(db, moment);
  await forgetByAge(db, retention, moment);
  await resumeErasures(db, moment);
  await eraseLateEvents(db, moment);
  const longAgo = new Date(now() - KEPT_MS);
  await forgetAppliedEvents(db, longAgo);
  await forgetOldRuns(db, longAgo);
  const unsent = await dropUnsentMails(db);
  if (unsent > 0) logger.warn({ mails: unsent }, "emails were dropped after their last attempt");
  await warnOfLarge(db, logger);
  await warnOfLargeSales(db, logger);
  await refreshAllRecords(ports);
  await removeUnusedUploads(ports);
}
