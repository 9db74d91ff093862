import type { WebhookSubject } from "#libs/database/tables-webhooks.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { findCheckout } from "../checkout/queries.ts";
import { closeCheckout } from "../checkout/sessions.ts";
import { beginLook } from "../checkout/subscription-queries.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import { syncAccount } from "../connect/sync.ts";
import { recordCharge, recordInvoice } from "../ledger/record.ts";
import type { Services } from "../services.ts";

/**
 * Applies a stored event once, whatever the order of arrival: it only says what to look at, and what counts is what the
 * processor says of that now. A failure leaves it waiting, and the job is tried again.
 */
export async function applyEvent(services: Services, eventId: string): Promise<void> {
  const row = await services.db
    .selectFrom("webhook_events")
    .where("id", "=", eventId)
    .where("applied_at", "is", null)
    .select(["subject", "provider_account"])
    .executeTakeFirst();
  if (row === undefined) return;
  try {
    await apply(services, row.subject, row.provider_account);
  } catch (error) {
    // Sold elsewhere and gone, or in the other of live and test mode: no attempt would ever come to anything.
    if (!isMissing(error) || (await isKnownHere(services, row.subject))) throw error;
    services.logger.info({ event: eventId }, "a webhook is about something that is neither here nor there");
  }
  await services.db
    .updateTable("webhook_events")
    .set({ applied_at: new Date() })
    .where("id", "=", eventId)
    .execute();
}

async function apply(
  services: Services,
  { kind, id, subscriptionId = null }: WebhookSubject,
  account: string | null,
): Promise<void> {
  if (id === null) return;
  switch (kind) {
    case "checkout":
      await closeCheckout(services, await services.payments.readCheckoutSession(id, account), account);
      return;
    case "subscription":
      await syncSubscription(services, id, account);
      return;
    case "invoice":
      // First the subscription, which the invoice may be the first word of.
      if (subscriptionId !== null) await syncSubscription(services, subscriptionId, account);
      await recordInvoice(services, id, account);
      return;
    case "charge":
      await recordCharge(services, id, account);
      return;
    case "account":
      await syncAccount(services, id);
      return;
    case "other":
      return;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof PaymentsError && error.code === "NOT_FOUND";
}

async function isKnownHere({ db }: Services, { kind, id, subscriptionId }: WebhookSubject): Promise<boolean> {
  if (kind === "checkout") return (await findCheckout(db, id ?? "")) !== undefined;
  const subscription = kind === "subscription" ? id : (subscriptionId ?? null);
  return subscription !== null && (await beginLook(db, subscription)).noted !== null;
}
