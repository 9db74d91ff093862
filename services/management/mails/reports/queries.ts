import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import type { Month } from "./month.ts";

/** Longer than a missed first of the month is caught up with, and than a failing job is tried again. */
const KEPT_MS = 60 * 24 * 60 * 60_000;

/** Queues the report job of every workspace that had an ad by then; one that is waiting already stays the only one. */
export async function queueWorkspaceReports(db: Kysely<Tables>, { name, to }: Month): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      'workspace-reports',
      json_build_object('workspaceId', workspace_id, 'month', ${name}::text),
      job_key => 'reports:' || workspace_id || ':' || ${name}::text
    )
    from (select distinct workspace_id from ads where created_at < ${to}::date + interval '1 day') as publishers
  `.execute(db);
}

const REPORTS: MutableMail = "monthlyReports";
const wantsReports = sql<boolean>`not ${REPORTS} = any(workspaces.muted_mails)`;

/**
 * Whose ads these are: their names, with the advertisers that have an address and have not said that they want none.
 * Nobody's, where the publisher sends none.
 */
export async function findReported(db: Kysely<Tables>, workspaceId: string, adIds: readonly string[]) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .where("ads.workspace_id", "=", workspaceId)
    // One parameter however many there are.
    .where("ads.id", "=", sql<string>`any(${adIds})`)
    .where("advertisers.email", "is not", null)
    .where("report_unsubscribes.advertiser_id", "is", null)
    .where(wantsReports)
    .select([
      "ads.id",
      "ads.name",
      "advertisers.id as advertiser_id",
      "advertisers.name as advertiser",
      "advertisers.email",
      "workspaces.name as workspace",
    ])
    .execute();
}

/**
 * Takes it on to send an advertiser's report of a month; false for everybody but the first, and once they or the
 * publisher want none.
 */
export async function claimReport(
  trx: Transaction<Tables>,
  workspaceId: string,
  advertiserId: string,
  month: string,
): Promise<boolean> {
  const claimed = await trx
    .insertInto("monthly_reports")
    .columns(["workspace_id", "advertiser_id", "month"])
    .expression((from) =>
      from
        .selectFrom("advertisers")
        .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
        .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
        .where("advertisers.workspace_id", "=", workspaceId)
        .where("advertisers.id", "=", advertiserId)
        .where("report_unsubscribes.advertiser_id", "is", null)
        .where(wantsReports)
        .select(["advertisers.workspace_id", "advertisers.id", sql<string>`${month}::text`.as("month")]),
    )
    .onConflict((conflict) => conflict.columns(["advertiser_id", "month"]).doNothing())
    .returning("advertiser_id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Forgets which reports were sent long ago: no job asks for a month that is over for so long. */
export async function forgetOldReports(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom("monthly_reports")
    .where("queued_at", "<", new Date(now.getTime() - KEPT_MS))
    .execute();
}
