import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** Drops the mails to an address that wait to be sent; one that is being sent at this moment still leaves. */
export async function dropMailsTo(trx: Transaction<Tables>, email: string): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array(
    select jobs.id
    from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'mail' and jobs.payload ->> 'to' = ${email} and jobs.locked_at is null
  ))`.execute(trx);
}

/** Removes the answers kept for repetitions that hold any of these texts; the others serve for a day. */
export async function dropAnswersWith(trx: Transaction<Tables>, texts: readonly string[]): Promise<void> {
  await sql`
    delete from idempotency_keys
    where exists (select from unnest(${[...texts]}::text[]) as found(text) where strpos(body, found.text) > 0)
  `.execute(trx);
}
