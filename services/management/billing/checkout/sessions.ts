import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, type HttpError, notFound } from "#libs/http/index.ts";
import type { ProcessorCheckout } from "#libs/payments/index.ts";
import { isGone } from "../connect/account.ts";
import { mailPurchase, reminderOf } from "../letters/purchases.ts";
import type { Billing } from "../mirror.ts";
import { syncSubscription } from "../subscriptions/subscription.ts";
import { type CheckoutRow, findCheckout } from "./queries.ts";

/**
 * The session's current state. Reads the processor while ours is open, so that an advertiser who has just paid need not
 * wait for the webhook. 404 for an unknown session, and for one of a workspace that is being deleted, which waits for what was begun.
 */
export async function currentCheckout(billing: Billing, sessionId: string): Promise<CheckoutRow> {
  const row = await findCheckout(billing.db, sessionId);
  if (row === undefined || row.erasing_since !== null) throw notFound("Checkout session");
  if (row.status !== "open") return row;
  await syncCheckout(billing, sessionId, row.provider_account);
  return (await findCheckout(billing.db, sessionId)) ?? row;
}

/** A session lasts a day, and the processor knows it for some weeks after that. */
const FORGOTTEN_AFTER_MS = 2 * 24 * 60 * 60_000;

/**
 * Reads a session at the processor and records how it ended. The processor forgets a session some time after it has expired, so
 * one of ours that it does not know has expired. Throws `NOT_FOUND` for a session that neither knows. Returns whether
 * anything was written.
 */
export async function syncCheckout(
  billing: Billing,
  sessionId: string,
  account: string | null,
): Promise<boolean> {
  try {
    const session = await billing.payments.readCheckoutSession(sessionId, account);
    return await closeCheckout(billing, session, account);
  } catch (error) {
    const row = (await isGone(billing, account, error))
      ? await findCheckout(billing.db, sessionId)
      : undefined;
    const { atProcessor } = billing.payments.moment(billing.now());
    // A younger one is not forgotten: the processor that is asked is another, or in another mode.
    if (row === undefined || atProcessor - row.created_at.getTime() < FORGOTTEN_AFTER_MS) throw error;
    return await expireCheckout(billing.db, sessionId);
  }
}

/** 409 for an advertiser without a payment; `what` begins the sentence, as in "The ad can be submitted". */
export function unpaid({ status }: Pick<CheckoutRow, "status">, what: string): HttpError {
  return status === "expired"
    ? conflict("CHECKOUT_EXPIRED", {
        formErrors: ["The checkout has expired without a payment. Start a new one."],
      })
    : conflict("CHECKOUT_NOT_PAID", { formErrors: [`${what} once the checkout is paid.`] });
}

/**
 * Records how a session ended: expired, or paid, with its subscription and emails to buyer and publisher. Repeating it changes
 * nothing; of several callers that learn of a payment, one sends the emails. Returns whether anything was written.
 */
export async function closeCheckout(
  billing: Billing,
  session: ProcessorCheckout,
  account: string | null,
): Promise<boolean> {
  if (session.status === "complete" && session.subscriptionId !== null) {
    const { id: subscriptionId, changed } = await syncSubscription(billing, session.subscriptionId, account);
    if (subscriptionId === null) return false;
    const completed = await billing.db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable("checkout_sessions")
        .set({
          status: "complete",
          subscription_id: subscriptionId,
          remind_at: reminderOf(billing.payments.moment(billing.now()).atProcessor),
          updated_at: new Date(),
        })
        .where("id", "=", session.id)
        .where("status", "!=", "complete")
        .returning("workspace_id")
        .executeTakeFirst();
      if (row === undefined) return false;
      const { workspace_id: workspaceId } = row;
      await mailPurchase(trx, billing, { workspaceId, subscriptionId, sessionId: session.id });
      return true;
    });
    return changed || completed;
  }
  return session.status === "expired" && (await expireCheckout(billing.db, session.id));
}

async function expireCheckout(db: Kysely<Tables>, sessionId: string): Promise<boolean> {
  const closed = await db
    .updateTable("checkout_sessions")
    .set({ status: "expired", updated_at: new Date() })
    .where("id", "=", sessionId)
    .where("status", "=", "open")
    .returning("id")
    .executeTakeFirst();
  return closed !== undefined;
}
