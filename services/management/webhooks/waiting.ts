import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** An event that has not been applied. */
export interface WaitingEvent {
  readonly id: string;
  readonly type: string;
  readonly receivedAt: Date;
  /** Whether it has had its last attempt, so that nothing happens any more unless somebody retries it. */
  readonly isDead: boolean;
  readonly attempts: number;
  /** When it is tried next; null for a dead one. */
  readonly nextAt: Date | null;
  readonly lastError: string | null;
}

/** How the inbox stands. */
export interface InboxState {
  /** Events that have not been applied, the dead ones among them. */
  readonly waiting: number;
  readonly dead: number;
  readonly oldestReceivedAt: Date | null;
}

/**
 * What has not been applied, with the job that is to apply it. An event without a job has lost it, which counts as dead:
 * a job that was killed in its last attempt leaves nothing else to know it by.
 */
const WAITING = sql`
  from webhook_events as event
  left join graphile_worker.jobs as job on job.key = 'webhook:' || event.id
  where event.applied_at is null`;
const IS_DEAD = sql`(job.id is null or (job.attempts >= job.max_attempts and job.locked_at is null))`;

/** Counts what waits. */
export async function readInboxState(db: Kysely<Tables>): Promise<InboxState> {
  const { rows } = await sql<InboxState>`
    select count(*) as waiting, count(*) filter (where ${IS_DEAD}) as dead, min(event.received_at) as "oldestReceivedAt"
    ${WAITING}`.execute(db);
  return rows[0] ?? { waiting: 0, dead: 0, oldestReceivedAt: null };
}

/** The first of the events that wait, dead ones first, then by arrival. */
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
