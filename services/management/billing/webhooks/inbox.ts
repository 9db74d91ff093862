import { type Kysely, sql } from "kysely";
import type { WebhookSubject } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { PaymentsEvent } from "#libs/payments/index.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { removeInSteps } from "../../store/remove-in-steps.ts";

/** Stores an event and queues the job that applies it, in one transaction. Does nothing if the event is stored already. */
export async function storeEvent(db: Kysely<Tables>, event: PaymentsEvent): Promise<void> {
  const subject = subjectOf(event);
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto("webhook_events")
      .values({
        id: event.id,
        type: event.type,
        subject: JSON.stringify(subject),
        provider_account: event.account,
        occurred_at: new Date(event.createdAt),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (stored === undefined) return;
    const { id: eventId, account } = event;
    const workspaceId = account === null ? await workspaceOf(trx, subject) : undefined;
    const party = account === null ? { ...(workspaceId !== undefined && { workspaceId }) } : { account };
    await enqueue(trx, "webhook", { eventId, ...party });
  });
}

/** The workspace of an event in the installation's own account; undefined if the event is about no known sale. */
async function workspaceOf(
  db: Kysely<Tables>,
  { kind, id, subscriptionId }: WebhookSubject,
): Promise<string | undefined> {
  if (kind === "checkout") {
    const opened = db.selectFrom("checkout_sessions").where("id", "=", id).select("workspace_id");
    return (await opened.executeTakeFirst())?.workspace_id;
  }
  const sold = db
    .selectFrom("subscriptions")
    .where("provider_subscription_id", "=", kind === "subscription" ? id : (subscriptionId ?? null))
    .select("workspace_id");
  return (await sold.executeTakeFirst())?.workspace_id;
}

/** Removes the events that were applied before `before`; waiting and dead events stay. */
export async function forgetAppliedEvents(db: Kysely<Tables>, before: Date): Promise<void> {
  await removeInSteps(db, "webhook_events", sql`applied_at < ${before}`);
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
    case "clock":
    case "other":
      return { kind: subject.kind, id: null };
  }
}

/** An event that has not been applied. */
export interface WaitingEvent {
  readonly id: string;
  readonly type: string;
  readonly receivedAt: Date;
  /** Whether its last attempt has failed, so that it waits for an operator's retry. */
  readonly isDead: boolean;
  readonly attempts: number;
  /** When it is tried next; null for a dead one. */
  readonly nextAt: Date | null;
  readonly lastError: string | null;
}

export interface InboxState {
  /** Events that have not been applied, including the dead ones. */
  readonly waiting: number;
  readonly dead: number;
  readonly oldestReceivedAt: Date | null;
}

/**
 * The events that have not been applied, each with its job. An event without a job is dead too: a job that was killed in its
 * last attempt is gone.
 */
const WAITING = sql`
  from webhook_events as event
  left join graphile_worker.jobs as job on job.key = 'webhook:' || event.id
  where event.applied_at is null`;
const IS_DEAD = sql`(job.id is null or (job.attempts >= job.max_attempts and job.locked_at is null))`;

/** Counts the events that have not been applied. */
export async function readInboxState(db: Kysely<Tables>): Promise<InboxState> {
  const { rows } = await sql<InboxState>`
    select count(*) as waiting, count(*) filter (where ${IS_DEAD}) as dead, min(event.received_at) as "oldestReceivedAt"
    ${WAITING}`.execute(db);
  return rows[0] ?? { waiting: 0, dead: 0, oldestReceivedAt: null };
}

/** The first `most` events that have not been applied: dead ones first, then by time of arrival. */
export async function listWaiting(db: Kysely<Tables>, most: number): Promise<WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select event.id, event.type, event.received_at as "receivedAt", ${IS_DEAD} as "isDead",
      coalesce(job.attempts, 0)::int as attempts, case when ${IS_DEAD} then null else job.run_at end as "nextAt",
      job.last_error as "lastError"
    ${WAITING}
    order by ${IS_DEAD} desc, event.received_at, event.id
    limit ${most}`.execute(db);
  return rows;
}
