import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { AdvertiserReportEmail, EmailedPeriod, ReportEmail } from "#libs/domain/report-emails.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import { removeInSteps } from "../../store/remove-in-steps.ts";

/** Longer than the catching up after an outage and the retries of a failing job. */
const KEPT_MS = 60 * 24 * 60 * 60_000;

/** The name is from before weekly reports; it covers both. */
const REPORTS: MutableMail = "monthlyReports";
const isSending = sql<boolean>`not ${REPORTS} = any(workspaces.muted_mails)`;

/** The time zones of all workspaces; null is UTC. */
export async function listTimeZones(db: Kysely<Tables>): Promise<(string | null)[]> {
  const rows = await db.selectFrom("workspaces").select("time_zone").distinct().execute();
  return rows.map((row) => row.time_zone);
}

/** The workspaces in some time zones in which anybody may get the report of a week or month. */
export async function listReporting(
  db: Kysely<Tables>,
  timeZones: readonly (string | null)[],
  kind: ReportEmail,
): Promise<string[]> {
  const rows = await db
    .selectFrom("workspaces")
    .where(
      sql<string>`coalesce(time_zone, '')`,
      "=",
      sql<string>`any(${timeZones.map((zone) => zone ?? "")})`,
    )
    .where("erasing_since", "is", null)
    .where((workspace) =>
      workspace.or([
        workspace.exists(
          workspace
            .selectFrom("members")
            .whereRef("members.workspace_id", "=", "workspaces.id")
            .where(wants(kind))
            .select("members.id"),
        ),
        workspace.and([
          isSending,
          workspace.exists(
            workspace
              .selectFrom("advertisers")
              .whereRef("advertisers.workspace_id", "=", "workspaces.id")
              .where("advertisers.report_email", "=", kind)
              .where("advertisers.email", "is not", null)
              .select("advertisers.id"),
          ),
        ]),
      ]),
    )
    .select("id")
    .execute();
  return rows.map(({ id }) => id);
}

const wants = (kind: ReportEmail) => sql<boolean>`${kind} = any(members.report_emails)`;

/** Advertisers with an ad and an address by how often they have chosen to get reports. */
export async function countAdvertisers(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<Record<AdvertiserReportEmail, number>> {
  const rows = await db
    .selectFrom("advertisers")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .where("advertisers.workspace_id", "=", workspaceId)
    .where("advertisers.email", "is not", null)
    .where((advertiser) =>
      advertiser.exists(
        advertiser
          .selectFrom("subscriptions")
          .innerJoin("ads", "ads.subscription_id", "subscriptions.id")
          .whereRef("subscriptions.advertiser_id", "=", "advertisers.id")
          .where("subscriptions.workspace_id", "=", workspaceId)
          .select("ads.id"),
      ),
    )
    .select(({ fn, eb }) => [
      eb
        .case()
        .when("report_unsubscribes.advertiser_id", "is", null)
        .then(eb.ref("advertisers.report_email"))
        .else("never" as const)
        .end()
        .as("choice"),
      fn.countAll<number>().as("advertisers"),
    ])
    .groupBy("choice")
    .execute();
  const count = (choice: AdvertiserReportEmail) =>
    rows.find((row) => row.choice === choice)?.advertisers ?? 0;
  return { week: count("week"), month: count("month"), never: count("never") };
}

/** What reports say of their workspace; undefined once its deletion has begun. */
export async function findReporting(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .where("erasing_since", "is", null)
    .select(["id", "name", "time_zone", "advertiser_splits"])
    .executeTakeFirst();
}

/** The members who want the report of a period and have not got it. */
export async function findMembersDue(db: Kysely<Tables>, workspaceId: string, { kind, name }: EmailedPeriod) {
  return await db
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .leftJoin("monthly_reports", (claim) =>
      claim.onRef("monthly_reports.member_id", "=", "members.id").on("monthly_reports.month", "=", name),
    )
    .where("members.workspace_id", "=", workspaceId)
    .where(wants(kind))
    .where("people.suspended_at", "is", null)
    .where("monthly_reports.id", "is", null)
    .select("members.id")
    .execute();
}

/**
 * These ads with their advertisers: those who have an address, want the report of the period and have not got it.
 * Empty if the publisher sends no reports.
 */
export async function findAdsDue(
  db: Kysely<Tables>,
  workspaceId: string,
  { kind, name }: EmailedPeriod,
  adIds: readonly string[],
) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
    .leftJoin("checkout_sessions", "checkout_sessions.subscription_id", "subscriptions.id")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .leftJoin("monthly_reports", (claim) =>
      claim
        .onRef("monthly_reports.advertiser_id", "=", "advertisers.id")
        .on("monthly_reports.month", "=", name),
    )
    .where("ads.workspace_id", "=", workspaceId)
    // One parameter for any number of ads.
    .where("ads.id", "=", sql<string>`any(${adIds})`)
    .where("advertisers.email", "is not", null)
    .where("advertisers.report_email", "=", kind)
    .where("report_unsubscribes.advertiser_id", "is", null)
    .where("monthly_reports.id", "is", null)
    .where(isSending)
    .select([
      "ads.id",
      "ads.serving_since",
      "advertisers.id as advertiser_id",
      "checkout_sessions.id as session_id",
    ])
    .execute();
}

/**
 * Claims a member's report of a period, and returns whom it goes to; undefined for all callers but the first, and for a member who
 * wants none any more.
 */
export async function claimForMember(
  trx: Transaction<Tables>,
  memberId: string,
  { kind, name }: EmailedPeriod,
) {
  const reader = await trx
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.id", "=", memberId)
    .where(wants(kind))
    .select(["members.workspace_id", "people.name", "people.email"])
    .forShare("members")
    .executeTakeFirst();
  return reader && (await claim(trx, reader, { member_id: memberId, month: name }));
}

/**
 * Claims an advertiser's report of a period, and returns whom it goes to; undefined for all callers but the first, once the advertiser
 * or the publisher wants none, and once the advertiser is erased. An erasure waits for the transaction.
 */
export async function claimForAdvertiser(
  trx: Transaction<Tables>,
  advertiserId: string,
  { kind, name }: EmailedPeriod,
) {
  const reader = await trx
    .selectFrom("advertisers")
    .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .where("advertisers.id", "=", advertiserId)
    .where("advertisers.email", "is not", null)
    .where("advertisers.report_email", "=", kind)
    .where("report_unsubscribes.advertiser_id", "is", null)
    .where(isSending)
    .select([
      "advertisers.workspace_id",
      "advertisers.name",
      "advertisers.email",
      "workspaces.name as workspace",
      "workspaces.contact_email",
    ])
    .forShare("advertisers")
    .executeTakeFirst();
  return reader && (await claim(trx, reader, { advertiser_id: advertiserId, month: name }));
}

async function claim<Reader extends { readonly workspace_id: string }>(
  trx: Transaction<Tables>,
  reader: Reader,
  of: Pick<Insertable<Tables["monthly_reports"]>, "member_id" | "advertiser_id" | "month">,
): Promise<Reader | undefined> {
  const claimed = await trx
    .insertInto("monthly_reports")
    .values({ workspace_id: reader.workspace_id, ...of })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return claimed && reader;
}

/** Deletes claims of periods that no job can still send. */
export async function forgetOldReports(db: Kysely<Tables>, now: Date): Promise<void> {
  await removeInSteps(db, "monthly_reports", sql`queued_at < ${new Date(now.getTime() - KEPT_MS)}`);
}
