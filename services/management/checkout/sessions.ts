import { notFound } from "#libs/http/index.ts";
import type { ProviderCheckout } from "#libs/payments/index.ts";
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

/** Where an advertiser finds the session after payment and from mails. The id is the advertiser's secret. */
export function checkoutAddress(publicUrl: URL, sessionId: string): string {
  return `${publicUrl.origin}/v1/checkout-sessions/${sessionId}`;
}

/** Tells an advertiser why something cannot be done before payment: `what` "can be submitted" once it is. */
export function whyUnpaid({ status }: Pick<CheckoutRow, "status">, what: string): string {
  return status === "expired"
    ? "The checkout has expired without a payment. Start a new one."
    : `${what} once the checkout is paid.`;
}

/**
 * Records how a session ended: paid, with the subscription it made, or expired. Repeating it changes nothing. Returns
 * whether anything was written.
 */
export async function closeCheckout(
  services: Services,
  provider: ProviderCheckout,
  account: string | null,
): Promise<boolean> {
  if (provider.status === "complete" && provider.subscriptionId !== null) {
    const { subscriptionId, changed } = await syncSubscription(services, provider.subscriptionId, account);
    if (subscriptionId === null) return false;
    const closed = await services.db
      .updateTable("checkout_sessions")
      .set({ status: "complete", subscription_id: subscriptionId, updated_at: new Date() })
      .where("id", "=", provider.id)
      .where("status", "!=", "complete")
      .returning("id")
      .executeTakeFirst();
    return changed || closed !== undefined;
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
