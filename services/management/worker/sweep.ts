import { forgetOldAnswers } from "../api/idempotency/claims.ts";
import { forgetOldRuns } from "../billing/reconciliation/runs.ts";
import { forgetAppliedEvents } from "../billing/webhooks/inbox.ts";
import { warnOfLargeSales } from "../catalogue/tiers/sale-size.ts";
import { dropUnsentMails } from "../mail/dropped.ts";
import { forgetOldLookups } from "../media/favicons/look-up.ts";
import { refreshAllRecords } from "../media/uploads/arrivals.ts";
import { type RemovalPorts, removeUnusedUploads } from "../media/uploads/removal.ts";
import { eraseLateEvents, resumeErasures } from "../privacy/erase-workspace.ts";
import { forgetByAge, type Retention } from "../privacy/retention.ts";
import { forgetOldReports } from "../reports/emails/queries.ts";
import { warnOfLarge } from "../snapshots/approved-bytes.ts";

/** How long applied webhooks and reconciliations are kept. The payment processor never resends a webhook after that. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Once per day, removes what is past its retention, continues deletions of workspaces, and warns of ads that are too large. A
 * failed step does not stop the others; the sweep then throws at its end and is repeated.
 */
export async function sweep(ports: RemovalPorts & { readonly retention: Retention }): Promise<void> {
  const { db, logger, now, retention } = ports;
  const moment = new Date(now());
  const longAgo = new Date(now() - KEPT_MS);
  const failures = await tryEach([
    () => forgetOldAnswers(db, moment),
    () => forgetOldLookups(db, moment),
    () => forgetOldReports(db, moment),
    () => forgetByAge(db, retention, moment),
    () => resumeErasures(db, moment),
    () => eraseLateEvents(db, moment),
    () => forgetAppliedEvents(db, longAgo),
    () => forgetOldRuns(db, longAgo),
    async () => {
      const unsent = await dropUnsentMails(db);
      if (unsent > 0) logger.warn({ mails: unsent }, "emails were dropped after their last attempt");
    },
    () => refreshAllRecords(ports),
    () => removeUnusedUploads(ports),
    () => warnOfLarge(db, logger),
    () => warnOfLargeSales(db, logger),
  ]);
  if (failures.length > 0)
    throw new AggregateError(failures, `parts of the sweep failed: ${failures.join("; ")}`);
}

/** Runs all steps and returns what failed ones threw. */
async function tryEach(steps: readonly (() => Promise<void>)[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
