import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import type { Tables } from "#libs/database/tables.ts";
import { DROP_REASONS, type DropReason } from "#libs/domain/letters.ts";
import type { MailAbout } from "../queue/queued-mail.ts";

/** Records that nobody receives a letter. Nothing once its workspace is deleted. */
export async function recordDrop(
  db: Kysely<Tables>,
  { workspaceId, recipient, kind }: MailAbout,
  reason: DropReason,
): Promise<void> {
  const workspace = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("id")
    .forKeyShare()
    .executeTakeFirst();
  if (workspace === undefined) return;
  await db
    .insertInto("dropped_mails")
    .values({ workspace_id: workspaceId, recipient, kind, reason })
    .execute();
}

/** The letters for a workspace that nobody received, by recipient, kind and reason, the newest first. */
export async function findDropped(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("dropped_mails")
    .where("workspace_id", "=", workspaceId)
    .groupBy(["recipient", "kind", "reason"])
    .select((select) => [
      "recipient",
      "kind",
      "reason",
      select.fn.countAll<number>().as("emails"),
      select.fn.max<Date>("dropped_at").as("last_at"),
    ])
    .orderBy("last_at", "desc")
    .orderBy("kind")
    .execute();
}

/** Emails that are given up in one transaction: a mail server that was away for two days leaves any number. */
const DROPPED_AT_A_TIME = 500;

/** Gives up the queued emails that have used up their attempts, and counts them; returns how many. */
export async function dropUnsentMails(db: Kysely<Tables>): Promise<number> {
  let all = 0;
  for (;;) {
    const dropped = await dropSomeUnsent(db);
    all += dropped;
    if (dropped < DROPPED_AT_A_TIME) return all;
  }
}

async function dropSomeUnsent(db: Kysely<Tables>): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ about: MailAbout | null; links: string | null }>`
      select payload -> 'about' as about, payload ->> 'workspaceId' as links
      from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where task_identifier in ('mail', 'send-links') and attempts >= max_attempts and locked_at is null
        limit ${sql.lit(DROPPED_AT_A_TIME)}
      ))`.execute(trx);
    for (const { about, links } of rows) {
      if (about !== null) await recordDrop(trx, about, "unsent");
      else if (links !== null) {
        await recordDrop(trx, { workspaceId: links, recipient: "advertiser", kind: "links" }, "unsent");
      }
    }
    return rows.length;
  });
}

interface MeasuredMails {
  readonly db: Kysely<Tables>;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** Registers a gauge of the letters that nobody received, which reads the database when it is scraped; NaN while that is away. */
export function measureDropped({ db, metrics, logger }: MeasuredMails): void {
  new Gauge({
    name: "placard_emails_dropped",
    help: "Emails to publishers and advertisers that nobody received in the last 30 days",
    labelNames: ["reason"],
    registers: [metrics],
    async collect() {
      try {
        const rows = await db
          .selectFrom("dropped_mails")
          .groupBy("reason")
          .select((select) => ["reason", select.fn.countAll<number>().as("emails")])
          .execute();
        for (const reason of DROP_REASONS) {
          this.set({ reason }, rows.find((row) => row.reason === reason)?.emails ?? 0);
        }
      } catch (error) {
        logger.warn({ err: error }, "dropped emails could not be counted");
        for (const reason of DROP_REASONS) this.set({ reason }, Number.NaN);
      }
    },
  });
}
