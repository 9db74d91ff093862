import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { WebhookSubject } from "#libs/database/tables-webhooks.ts";
import type { PaymentsEvent } from "#libs/payments/index.ts";
import { closeCheckout } from "../checkout/sessions.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import type { Services } from "../services.ts";

/** Stores an event and queues the job that applies it, together; an event that is there already stays as it is. */
export async function storeEvent(db: Kysely<Tables>, event: PaymentsEvent): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto("webhook_events")
      .values({
        id: event.id,
        type: event.type,
        subject: JSON.stringify(subjectOf(event)),
        occurred_at: new Date(event.createdAt),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (stored === undefined) return;
    await sql`select graphile_worker.add_job('webhook', json_build_object('eventId', ${event.id}::text))`.execute(
      trx,
    );
  });
}

/** Applies a stored event once. A failure leaves it waiting, and the job is tried again. */
export async function applyEvent(services: Services, eventId: string): Promise<void> {
  const row = await services.db
    .selectFrom("webhook_events")
    .where("id", "=", eventId)
    .where("applied_at", "is", null)
    .select("subject")
    .executeTakeFirst();
  if (row === undefined) return;
  await apply(services, row.subject);
  await services.db
    .updateTable("webhook_events")
    .set({ applied_at: new Date() })
    .where("id", "=", eventId)
    .execute();
}

async function apply(services: Services, { kind, id }: WebhookSubject): Promise<void> {
  if (id === null || kind === "other") return;
  if (kind === "subscription") await syncSubscription(services, id);
  else if (kind === "checkout") await closeCheckout(services, await services.payments.readCheckoutSession(id, null));
}

/** Invoices are not read: what was paid is part of the subscription's state. */
function subjectOf({ subject }: PaymentsEvent): WebhookSubject {
  switch (subject.kind) {
    case "checkout":
      return { kind: "checkout", id: subject.checkout.id };
    case "subscription":
    case "invoice":
      return { kind: "subscription", id: subject.subscriptionId };
    case "charge":
    case "account":
    case "other":
      return { kind: "other", id: null };
  }
}
