import { tellOnSale } from "../../catalogue/tiers/on-sale.ts";
import { syncCheckout } from "../checkout/sessions.ts";
import { isGone } from "../connect/account.ts";
import type { Billing } from "../mirror.ts";
import { queueAllCharging } from "../subscriptions/charging-queries.ts";
import { Findings } from "./findings.ts";
import { reconcileLedger } from "./ledger.ts";
import { listAccounts, listOpenCheckouts, listTiersToTell, queueDueRefunds } from "./queries.ts";
import { compareSubscriptions } from "./subscriptions.ts";

/** Each takes a request of its own. */
const MAX_CHECKOUTS = 500;

/**
 * Compares our rows with the processor's objects, account by account, and repairs differences as a webhook would: live
 * subscriptions on both sides, recent invoices, refunds and disputes, checkouts that are open here, and tiers that are
 * archived on one side only. A failure of the processor is a finding and does not stop the comparison.
 */
export async function reconcile(billing: Billing) {
  const findings = new Findings();
  const { atProcessor } = billing.payments.moment(billing.now());
  for (const account of await listAccounts(billing.db)) {
    findings.compared.accounts += 1;
    if ((await compareSubscriptions(billing, account, findings)) === "lost") continue;
    await findings.attempt(account ?? "platform", () =>
      reconcileLedger(billing, account, atProcessor, findings),
    );
  }
  await compareCheckouts(billing, findings);
  await queueAllCharging(billing.db, atProcessor);
  await queueDueRefunds(billing.db);
  await compareOnSale(billing, findings);
  return { report: findings.report(), canRetry: findings.canRetry };
}

/** Closes the checkouts that are open here and were paid or have expired at the processor. */
async function compareCheckouts(billing: Billing, findings: Findings): Promise<void> {
  for (const { id, provider_account: account } of await listOpenCheckouts(billing.db, MAX_CHECKOUTS)) {
    findings.compared.checkouts += 1;
    await findings.attempt(id, async () => {
      if (await syncCheckout(billing, id, account)) findings.repaired.checkout.push(id);
    });
  }
}

/** Archives at the processor the tiers and prices that are archived here, and unarchives those that are on sale again. */
async function compareOnSale(billing: Billing, findings: Findings): Promise<void> {
  const ports = { ...billing, isGone: isGone.bind(null, billing) };
  for await (const { workspace_id: workspaceId, tier_id: tierId } of listTiersToTell(billing.db)) {
    await findings.attempt(tierId, async () => {
      if (await tellOnSale(ports, { workspaceId, tierId })) findings.repaired.tier.push(tierId);
    });
  }
}
