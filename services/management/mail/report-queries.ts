import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import { removeInSteps } from "../store/remove-in-steps.ts";

/** Longer than the catching up with a missed first of the month and the retries of a failing job. */
const KEPT_MS = 60 * 24 * 60 * 60_000;

const REPORTS: MutableMail = "monthlyReports";
const wantsReports = sql<boolean>`not ${REPORTS} = any(workspaces.muted_mails)`;

/**
 * The names of these ads, with their advertisers: those that have an address and have not unsubscribed. Empty if the
 * publisher sends no reports.
 */
export async function findReported(db: Kysely<Tables>, workspaceId: string, adIds: readonly string[]) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .where("ads.workspace_id", "=", workspaceId)
    // One parameter for any number of ads.
    .where("ads.id", "=", sql<string>`any(${adIds})`)
    .where("advertisers.email", "is not", null)
    .where("report_unsubscribes.advertiser_id", "is", null)
    .where(wantsReports)
    .select([
      "ads.id",
      "ads.name",
      "ads.workspace_id",
      "advertisers.id as advertiser_id",
      "advertisers.name as advertiser",
      "advertisers.email",
      "workspaces.name as workspace",
      "workspaces.contact_email",
    ])
    .execute();
}

/**
 * Claims an advertiser's report of a month; false for all callers but the first, and once the advertiser or the publisher
 * wants none.
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

/** Deletes the claims of months for which no job can be left. */
export async function forgetOldReports(db: Kysely<Tables>, now: Date): Promise<void> {
  await removeInSteps(db, "monthly_reports", sql`queued_at < ${new Date(now.getTime() - KEPT_MS)}`);
}
