import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

// Placeholders for erased names and addresses: the audit log keeps the action and not the actor.
export const DELETED_PERSON = "Deleted person";
export const ERASED_ADVERTISER = "Erased advertiser";
export const ERASED_AD = "Erased ad";
/** `.invalid` never resolves (RFC 2606). */
export const ERASED_WEBSITE = "https://erased.invalid/";

/** Drops the queued mails to an address, of one workspace or all. A mail that is being sent at this moment is not stopped. */
export async function dropMailsTo(
  trx: Transaction<Tables>,
  email: string,
  workspaceId: string | null = null,
): Promise<void> {
  const isOurs =
    workspaceId === null ? sql`true` : sql`jobs.payload -> 'about' ->> 'workspaceId' = ${workspaceId}`;
  await sql`select graphile_worker.complete_jobs(array(
    select jobs.id
    from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'mail' and jobs.payload ->> 'to' = ${email} and ${isOurs} and jobs.locked_at is null
  ))`.execute(trx);
}

/** Removes the responses kept for retries (`Idempotency-Key`), of one workspace or all, that have any of these texts as a value. */
export async function dropAnswersWith(
  trx: Transaction<Tables>,
  texts: readonly string[],
  workspaceId: string | null = null,
): Promise<void> {
  const isOurs = workspaceId === null ? sql`true` : sql`starts_with(caller, ${`${workspaceId}/`})`;
  // Quoted, because one address may end like another.
  const values = texts.map((text) => JSON.stringify(text));
  await sql`
    delete from idempotency_keys
    where ${isOurs}
      and exists (select from unnest(${values}::text[]) as found(text) where strpos(body, found.text) > 0)
  `.execute(trx);
}
