import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { forgetOldAnswers } from "../idempotency/claims.ts";
import type { Services } from "../services.ts";

/** Removes, once a day, what has had its time: kept answers, sessions, links and invitations, mails nobody could send. */
export async function sweep({ db, logger, now }: Pick<Services, "db" | "logger" | "now">): Promise<void> {
  const moment = new Date(now());
  await forgetOldAnswers(db, moment);
  await db.deleteFrom("sessions").where("expires_at", "<", moment).execute();
  await db.deleteFrom("verifications").where("expires_at", "<", moment).execute();
  await db.deleteFrom("invitations").where("expires_at", "<", moment).execute();
  const unsent = await dropUnsentMails(db);
  if (unsent > 0) logger.warn({ mails: unsent }, "mails were dropped after their last attempt");
}

async function dropUnsentMails(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = 'mail' and attempts >= max_attempts and locked_at is null
    ))`.execute(db);
  return rows.length;
}
