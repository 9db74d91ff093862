import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { WebhookSubject } from "#libs/database/tables-webhooks.ts";
import type { PaymentsEvent } from "#libs/payments/index.ts";

/** With graphile-worker's backoff the last attempt is some 16 hours after the first. */
const MAX_ATTEMPTS = 12;

/** Stores an event and queues the job that applies it, together; an event that is there already stays as it is. */
export async function storeEvent(db: Kysely<Tables>, event: PaymentsEvent): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto("webhook_events")
      .values({
        id: event.id,
        type: event.type,
        subject: JSON.stringify(subjectOf(event)),
        provider_account: event.account,
        occurred_at: new Date(event.createdAt),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (stored !== undefined) await queueEvent(trx, event.id);
  });
}

/** Queues the job that applies a stored event; one that is queued already, or has died, starts over. */
export async function queueEvent(db: Kysely<Tables>, eventId: string): Promise<void> {
  await sql`select graphile_worker.add_job(
    'webhook', json_build_object('eventId', ${eventId}::text),
    job_key => ${jobKeyOf(eventId)}, max_attempts => ${sql.lit(MAX_ATTEMPTS)}
  )`.execute(db);
}

/** What the job that applies an event is known by. */
export function jobKeyOf(eventId: string): string {
  return `webhook:${eventId}`;
}

/** Removes the events that were applied before that; what waits, or is dead, stays. */
export async function forgetAppliedEvents(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom("webhook_events").where("applied_at", "<", before).execute();
}

function subjectOf({ subject }: PaymentsEvent): WebhookSubject {
  switch (subject.kind) {
    case "checkout":
      return { kind: "checkout", id: subject.checkout.id };
    case "subscription":
      return { kind: "subscription", id: subject.subscriptionId };
    case "invoice":
      return { kind: "invoice", id: subject.invoiceId, subscriptionId: subject.subscriptionId };
    case "charge":
      return { kind: "charge", id: subject.chargeId };
    case "account":
      return { kind: "account", id: subject.accountId };
    case "other":
      return { kind: "other", id: null };
  }
}
