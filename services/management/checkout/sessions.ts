import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import type { ProviderCheckout } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";
import { syncSubscription } from "./subscriptions.ts";

/** The processor's ids are short and plain; anything else does not exist. */
const SESSION_ID = /^[A-Za-z0-9_]{16,200}$/;

export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof findCheckout>>>;

/** The checkout session with that id, with its workspace, tier and price; undefined when there is none. */
export async function findCheckout(db: Kysely<Tables>, sessionId: string) {
  if (!SESSION_ID.test(sessionId)) return undefined;
  return await db
    .selectFrom("checkout_sessions as session")
    .innerJoin("workspaces", "workspaces.id", "session.workspace_id")
    .innerJoin("prices", "prices.id", "session.price_id")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .where("session.id", "=", sessionId)
    .select([
      "session.id",
      "session.workspace_id",
      "session.status",
      "session.subscription_id",
      "workspaces.name as workspace_name",
      "prices.id as price_id",
      "prices.interval",
      "prices.interval_count",
      "prices.amount",
      "prices.currency",
      "tiers.id as tier_id",
      "tiers.name as tier_name",
      "tiers.description as tier_description",
      "tiers.weight as tier_weight",
      "tiers.features as tier_features",
    ])
    .executeTakeFirst();
}

/**
 * The session as it is now. While ours says open, the processor is asked: an advertiser who has just paid need not wait
 * for the webhook, and a webhook that was lost is made up for. 404 for an unknown session.
 */
export async function currentCheckout(services: Services, sessionId: string): Promise<CheckoutRow> {
  const row = await findCheckout(services.db, sessionId);
  if (row === undefined) throw notFound("Checkout session");
  if (row.status !== "open") return row;
  const provider = await services.payments.readCheckoutSession(sessionId);
  if (provider.status === "open") return row;
  await closeCheckout(services, provider);
  return (await findCheckout(services.db, sessionId)) ?? row;
}

/** Records how a session ended: paid, with the subscription it made, or expired. Repeating it changes nothing. */
export async function closeCheckout(services: Services, provider: ProviderCheckout): Promise<void> {
  if (provider.status === "complete" && provider.subscriptionId !== null) {
    const subscriptionId = await syncSubscription(services, provider.subscriptionId);
    if (subscriptionId === null) return;
    await services.db
      .updateTable("checkout_sessions")
      .set({ status: "complete", subscription_id: subscriptionId, updated_at: new Date() })
      .where("id", "=", provider.id)
      .where("status", "!=", "complete")
      .execute();
  } else if (provider.status === "expired") {
    await services.db
      .updateTable("checkout_sessions")
      .set({ status: "expired", updated_at: new Date() })
      .where("id", "=", provider.id)
      .where("status", "=", "open")
      .execute();
  }
}
