import type { FoundSubscription, ProcessorSubscription } from "#libs/payments/index.ts";
import { isLost, noteReadable } from "../connect/account.ts";
import { type Billing, hasState, inPages } from "../mirror.ts";
import { subscriptionColumns } from "../subscriptions/columns.ts";
import { findSeller, findSold } from "../subscriptions/purchase.ts";
import { syncSubscription } from "../subscriptions/subscription.ts";
import type { Findings } from "./findings.ts";
import { findKnown, inOrder, listLive, PAGE } from "./queries.ts";

/**
 * Compares an account's live subscriptions, page by page: those that the processor lists, and those that are live here and
 * not listed there. Those that differ are synced: the list's state may be old by then, and is never written. One that was not sold here
 * costs nothing but its place in the list. Of an account that is lost nothing is listed, so those that are live here end. Says which.
 */
export async function compareSubscriptions(
  billing: Billing,
  account: string | null,
  findings: Findings,
): Promise<"there" | "lost"> {
  const startedAt = new Date(billing.payments.moment(billing.now()).atProcessor);
  const listed = new Set<string>();
  let isAccountLost = false;
  await findings.attempt(account ?? "platform", async () => {
    try {
      await compareListed(billing, account, findings, listed);
      await noteReadable(billing, account);
    } catch (error) {
      if (!(await isLost(billing, account, error))) throw error;
      isAccountLost = true;
    }
    // A subscription that is live here and not listed has most likely ended at the processor.
    const live = inOrder((after) => listLive(billing.db, account, startedAt, after));
    for await (const { provider_subscription_id: id } of live) {
      if (!listed.has(id)) await repair(billing, id, account, findings);
    }
  });
  return isAccountLost ? "lost" : "there";
}

/** Adds to `listed` the ids of those that were sold here. */
async function compareListed(
  billing: Billing,
  account: string | null,
  findings: Findings,
  listed: Set<string>,
): Promise<void> {
  for await (const page of inPages(billing.payments.listSubscriptions(account), PAGE)) {
    findings.compared.subscriptions += page.length;
    const known = await findKnown(
      billing.db,
      page.map(({ id }) => id),
    );
    const soldAs = await findSold(
      billing.db,
      account,
      page.map(({ metadata }) => metadata),
    );
    for (const found of page) {
      const row = known.get(found.id);
      const sold = soldAs(found.metadata);
      if (row === undefined && sold === undefined) {
        await findings.attempt(found.id, () => settleUnknown(billing, found, account, findings));
        continue;
      }
      listed.add(found.id);
      const subscription = await found.whole();
      if (sold !== undefined && row?.has_checkout !== true) {
        await findings.attempt(found.id, () => restoreCheckout(billing, sold, subscription, account));
      }
      if (subscription.isLeftUnpaid) findings.leftUnpaid.push(found.id);
      const agrees = row !== undefined && hasState(row, subscriptionColumns(subscription, row.free_until));
      if (!agrees) await repair(billing, found.id, account, findings);
    }
  }
}

/**
 * Ends a live subscription that a deleted workspace has left at the processor. One of a workspace that is here was sold at a price that
 * a restored backup lacks: the report names it. Throws `PaymentsError`.
 */
async function settleUnknown(
  { db, payments, logger }: Billing,
  { id, metadata }: FoundSubscription,
  account: string | null,
  findings: Findings,
): Promise<void> {
  const seller = await findSeller(db, account, metadata);
  // The owner of a connected account can write anything there, and must not keep an alert on.
  if (seller === "here" && account === null) findings.fail(id);
  if (seller !== "erased") return;
  await payments.cancelSubscription(id, { account, atPeriodEnd: false, idempotencyKey: `erased:${id}` });
  logger.warn(
    { subscription: id },
    "ended a subscription of a deleted workspace: look whether it has to be refunded",
  );
}

async function repair(
  billing: Billing,
  subscriptionId: string,
  account: string | null,
  findings: Findings,
): Promise<void> {
  await findings.attempt(subscriptionId, async () => {
    const { id, changed } = await syncSubscription(billing, subscriptionId, account);
    if (changed && id !== null) findings.repaired.subscription.push(id);
  });
}

/**
 * Adds the checkout of a subscription that was sold here, as open, if it is not here and the processor has it: a restored backup may lack
 * it, and with it the buyer's page and letters. The comparison of open checkouts then completes it, with the letters of a purchase. Throws
 * `PaymentsError`.
 */
async function restoreCheckout(
  { db, payments }: Billing,
  price: { readonly id: string; readonly workspace_id: string },
  { id, createdAt }: ProcessorSubscription,
  account: string | null,
): Promise<void> {
  const checkout = await payments.findCheckoutSession(id, account);
  if (checkout === null) return;
  await db
    .insertInto("checkout_sessions")
    .values({
      id: checkout.id,
      workspace_id: price.workspace_id,
      price_id: price.id,
      provider_account: account,
      created_at: new Date(createdAt),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
