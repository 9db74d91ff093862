import type { FastifyInstance } from "fastify";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isPayable } from "#libs/domain/subscription.ts";
import { type AddressKey, addressKeyOf, notFound } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { takeFromAddress } from "../api/address-limit.ts";
import { findCheckout } from "../billing/checkout/queries.ts";
import { unpaid } from "../billing/checkout/sessions.ts";
import { checkoutAddress } from "../mail/links.ts";
import type { SellingPorts } from "./ports.ts";

type BillingPorts = Pick<SellingPorts, "db" | "limits" | "payments" | "publicUrl">;

const RATE: RateRule = { name: "billing-link", points: 20, durationSeconds: 60 };

/** What an advertiser wants: to pay what is owed, or to manage cards, invoices and the subscription. */
export type BillingWish = "pay" | "manage";

/**
 * `GET /v1/checkout-sessions/{sessionId}/billing`: redirects an advertiser to the processor's portal for the purchase, and with `/pay`
 * to the invoice that is owed. For pages that a publisher has built; emails lead to the pages below `/advertise`, which refuse in HTML.
 */
export function billingLinkRoutes(app: FastifyInstance, ports: BillingPorts): void {
  const redirectTo = (below: string, wish: BillingWish) =>
    app.get<{ Params: { sessionId: string } }>(
      `/v1/checkout-sessions/:sessionId/billing${below}`,
      async (request, reply) => {
        const page = await findBillingPage(ports, request.params.sessionId, wish, addressKeyOf(request));
        return reply.header("cache-control", "no-store").redirect(page, 303);
      },
    );
  redirectTo("", "manage");
  redirectTo("/pay", "pay");
}

/**
 * The processor's page where the subscription of a session is managed, or the invoice that it owes is paid; the portal also
 * where nothing is owed. It is looked up on each visit, because such pages expire sooner than emails. Throws 429 for an address
 * that asks too often, 404 for an unknown session, 409 before payment, and `PaymentsError`.
 */
export async function findBillingPage(
  { db, limits, payments, publicUrl }: BillingPorts,
  sessionId: string,
  wish: BillingWish,
  address: AddressKey,
): Promise<string> {
  await takeFromAddress(limits, RATE, address);
  const session = await findCheckout(db, sessionId);
  if (session === undefined) throw notFound("Checkout session");
  const { workspace_id: workspaceId, subscription_id: subscriptionId } = session;
  const billed = subscriptionId === null ? undefined : await findBilled(db, workspaceId, subscriptionId);
  if (billed === undefined) throw unpaid(session, "Bills can be seen");
  if (wish === "pay" && isPayable(billed.status) && billed.hosted_url !== null) return billed.hosted_url;

  // The subscription's own customer: one email address may be another customer for each purchase.
  const account = billed.provider_account;
  const { customerId } = await payments.readSubscription(billed.provider_subscription_id, account);
  const returnUrl = checkoutAddress(publicUrl, workspaceId, sessionId);
  return await payments.portalLink({ account, processorCustomerId: customerId, returnUrl });
}

/** A subscription's id at the processor, with the page of the unpaid invoice that it is in arrears with, or of its oldest one, if any. */
async function findBilled(db: Kysely<Tables>, workspaceId: string, subscriptionId: string) {
  const isOwed = sql<boolean>`(invoices.provider_invoice_id = subscriptions.owed_invoice) is true`;
  return await db
    .selectFrom("subscriptions")
    .leftJoin("invoices", (join) =>
      join
        .onRef("invoices.subscription_id", "=", "subscriptions.id")
        .on("invoices.workspace_id", "=", workspaceId)
        .on("invoices.status", "=", "open"),
    )
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.id", "=", subscriptionId)
    .select([
      "provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.status",
      "invoices.hosted_url",
    ])
    .orderBy(isOwed, "desc")
    .orderBy("invoices.issued_at", (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
}
