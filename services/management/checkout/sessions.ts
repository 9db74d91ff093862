import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import type { ProviderCheckout } from "#libs/payments/index.ts";
import { tellOfPurchase } from "../mails/tell-of-purchase.ts";
import type { Services } from "../services.ts";
import { type CheckoutRow, findCheckout } from "./queries.ts";
import { syncSubscription } from "./subscriptions.ts";

/**
 * The session as it is now. While ours says open, the processor is asked: an advertiser who has just paid need not wait
 * for the webhook, and a webhook that was lost is made up for. 404 for an unknown session.
 */
export async function currentCheckout(services: Services, sessionId: string): Promise<CheckoutRow> {
  const row = await findCheckout(services.db, sessionId);
  if (row === undefined) throw notFound("Checkout session");
  if (row.status !== "open") return row;
  const provider = await services.payments.readCheckoutSession(sessionId, row.provider_account);
  if (provider.status === "open") return row;
  await closeCheckout(services, provider, row.provider_account);
  return (await findCheckout(services.db, sessionId)) ?? row;
}

/**
 * Where an advertiser finds the session after payment and from mails, a page of `advertise/`. The id is the advertiser's
 * secret. The workspace is named by its id, as a slug can change.
 */
export function checkoutAddress(publicUrl: URL, workspaceId: string, sessionId: string): string {
  return `${publicUrl.origin}/advertise/${workspaceId}/checkout/${sessionId}`;
}

/** Tells an advertiser why something cannot be done before payment: `what` "can be submitted" once it is. */
export function whyUnpaid({ status }: Pick<CheckoutRow, "status">, what: string): string {
  return status === "expired"
    ? "The checkout has expired without a payment. Start a new one."
    : `${what} once the checkout is paid.`;
}

/**
 * Records how a session ended: paid, with the subscription it made, which the buyer is told, or expired. Repeating it
 * changes nothing. Returns whether anything was written.
 */
export async function closeCheckout(
  services: Services,
  provider: ProviderCheckout,
  account: string | null,
): Promise<boolean> {
  if (provider.status === "complete" && provider.subscriptionId !== null) {
    const { subscriptionId, changed } = await syncSubscription(services, provider.subscriptionId, account);
    if (subscriptionId === null) return false;
    const completed = await services.db
      .transaction()
      .execute((trx) => completeCheckout(trx, services, provider.id, subscriptionId));
    return changed || completed;
  }
  if (provider.status !== "expired") return false;
  const closed = await services.db
    .updateTable("checkout_sessions")
    .set({ status: "expired", updated_at: new Date() })
    .where("id", "=", provider.id)
    .where("status", "=", "open")
    .returning("id")
    .executeTakeFirst();
  return closed !== undefined;
}

/** False where it was complete already: of all who come to know of a payment, one completes the session. */
async function completeCheckout(
  trx: Transaction<Tables>,
  services: Services,
  sessionId: string,
  subscriptionId: string,
): Promise<boolean> {
  const completed = await trx
    .updateTable("checkout_sessions")
    .set({ status: "complete", subscription_id: subscriptionId, updated_at: new Date() })
    .where("id", "=", sessionId)
    .where("status", "!=", "complete")
    .returning("workspace_id")
    .executeTakeFirst();
  if (completed === undefined) return false;
  await tellOfPurchase(trx, services, { workspaceId: completed.workspace_id, subscriptionId, sessionId });
  return true;
}
