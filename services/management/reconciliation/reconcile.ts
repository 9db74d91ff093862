import type { ReconciliationReport } from "#libs/database/tables-webhooks.ts";
import { reconcileInvoices } from "../ledger/reconcile.ts";
import type { Services } from "../services.ts";
import { compareCheckouts } from "./checkouts.ts";
import { Findings } from "./findings.ts";
import { compareOnSale } from "./on-sale.ts";
import { listAccounts } from "./queries.ts";
import { compareSubscriptions } from "./subscriptions.ts";

/** Invoices older than that are not looked for again: their webhooks are long applied, or dead and visible. */
const INVOICES_SINCE_MS = 3 * 24 * 60 * 60_000;

/** What a comparison came to, and whether another one soon could go better. */
export interface Reconciliation {
  readonly report: ReconciliationReport;
  readonly canRetry: boolean;
}

/**
 * Compares what we hold with the processor, account by account, and repairs what differs as a webhook would have: live
 * subscriptions on both sides, checkouts that are still open here, invoices of the last days, and what is archived here
 * and not there. What the processor fails at is named in the report and does not stop the rest.
 */
export async function reconcile(services: Services): Promise<Reconciliation> {
  const findings = new Findings();
  const since = services.now() - INVOICES_SINCE_MS;
  for (const account of await listAccounts(services.db)) {
    findings.countAccount();
    const name = account ?? "platform";
    await findings.attempt(name, () => compareSubscriptions(services, account, findings));
    await findings.attempt(name, async () => {
      findings.addRepair("invoice", ...(await reconcileInvoices(services, account, since)));
    });
  }
  await compareCheckouts(services, findings);
  await compareOnSale(services, findings);
  return { report: findings.report(), canRetry: findings.canRetry };
}
