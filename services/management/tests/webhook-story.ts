import { randomBytes } from "node:crypto";
import { Stripe } from "stripe";
import { vi } from "vitest";
import type { ManagementUnderTest } from "./management.ts";
import { WEBHOOK_SECRET } from "./processor.ts";

/** An event of the processor about a subscription in the state given. */
export function aSubscriptionEvent(subscription: Stripe.Subscription, id = newEventId()) {
  return {
    id,
    object: "event",
    api_version: "2025-01-01",
    created: Math.floor(Date.now() / 1000),
    data: { object: subscription },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: "customer.subscription.updated",
  };
}

export function newEventId(): string {
  return `evt_${randomBytes(12).toString("hex")}`;
}

/** Delivers an event as the processor would, or with what is wrong with it; returns the answer. */
export async function deliver(
  { origin }: Pick<ManagementUnderTest, "origin">,
  event: object,
  flaw: { readonly secret?: string; readonly timestamp?: number; readonly signature?: string } = {},
) {
  const payload = JSON.stringify(event);
  const { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = flaw;
  const signature =
    flaw.signature ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const response = await fetch(`${origin}/v1/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body: payload,
  });
  return { status: response.status, text: await response.text() };
}

/** Waits until the events have been applied. */
export async function applied({ database }: Pick<ManagementUnderTest, "database">, ...ids: string[]) {
  await vi.waitFor(
    async () => {
      const rows = await database.db
        .selectFrom("webhook_events")
        .where("id", "in", ids)
        .where("applied_at", "is not", null)
        .select("id")
        .execute();
      if (rows.length < ids.length) throw new Error(`${rows.length} of ${ids.length} events are applied`);
    },
    { timeout: 60_000, interval: 5 },
  );
}
