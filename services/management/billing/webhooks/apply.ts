import type { Kysely } from "kysely";
import type { WebhookSubject } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { refreshEnds } from "../../snapshots/refresh-windows.ts";
import { findCheckout } from "../checkout/queries.ts";
import { syncCheckout } from "../checkout/sessions.ts";
import { isGone, syncAccount } from "../connect/account.ts";
import { syncCharge } from "../ledger/charge.ts";
import { syncInvoice } from "../ledger/invoice.ts";
import { tellGraceEnds } from "../letters/grace.ts";
import { remindOfMissingAds } from "../letters/purchases.ts";
import type { Billing } from "../mirror.ts";
import { queueAllCharging } from "../subscriptions/charging-queries.ts";
import { subscriptionVersion, syncSubscription } from "../subscriptions/subscription.ts";

/**
 * Applies a stored event once, in any order of arrival: the event only names an object, and the state is read from the
 * processor now. If that fails, the event waits and the job is tried again.
 */
export async function applyEvent(billing: Billing, eventId: string): Promise<void> {
  const { db } = billing;
  const row = await db
    .selectFrom("webhook_events")
    .where("id", "=", eventId)
    .where("applied_at", "is", null)
    .select(["subject", "provider_account"])
    .executeTakeFirst();
  if (row === undefined) return;
  try {
    await apply(billing, row.subject, row.provider_account);
  } catch (error) {
    // The object was sold elsewhere and is gone, or it is in the other mode (live or test). No attempt can succeed.
    const isFinal = await isGone(billing, row.provider_account, error);
    if (!isFinal || (await isKnownHere(db, row.subject))) throw error;
    billing.logger.info(
      { event: eventId },
      "skipped a webhook: its object is unknown here and cannot be read at the payment processor",
    );
  }
  await db.updateTable("webhook_events").set({ applied_at: new Date() }).where("id", "=", eventId).execute();
}

async function apply(
  billing: Billing,
  { kind, id, subscriptionId = null }: WebhookSubject,
  account: string | null,
): Promise<void> {
  if (kind === "clock") await followClock(billing);
  if (id === null) return;
  switch (kind) {
    case "checkout":
      await syncCheckout(billing, id, account);
      return;
    case "subscription":
      await syncSubscription(billing, id, account);
      return;
    case "invoice":
      // An invoice may arrive before the events of its subscription, and bills nothing of ours if that was not sold here.
      if (subscriptionId === null) return;
      if ((await syncSubscription(billing, subscriptionId, account)).id === null) return;
      await syncInvoice(billing, id, account);
      return;
    case "charge":
      await syncCharge(billing, id, account);
      return;
    case "account":
      await syncAccount(billing, id);
      return;
    case "clock":
    case "other":
  }
}

async function isKnownHere(
  db: Kysely<Tables>,
  { kind, id, subscriptionId }: WebhookSubject,
): Promise<boolean> {
  if (kind === "checkout") return (await findCheckout(db, id ?? "")) !== undefined;
  const subscription = kind === "subscription" ? id : (subscriptionId ?? null);
  if (subscription === null) return false;
  return (await subscriptionVersion(db, subscription).executeTakeFirst()) !== undefined;
}

/**
 * Does what became due when the processor's clock advanced, without waiting for the schedule: ends serving windows, queues the letters
 * about ended grace periods and missing ads, and queues charging. May be repeated.
 */
async function followClock(billing: Billing): Promise<void> {
  await refreshEnds(billing);
  await tellGraceEnds(billing);
  await remindOfMissingAds(billing);
  await queueAllCharging(billing.db, billing.payments.moment(billing.now()).atProcessor);
}
