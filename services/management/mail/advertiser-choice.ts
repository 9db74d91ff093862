import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { AdvertiserReportEmail } from "#libs/domain/report-emails.ts";
import { recordChange } from "../audit/record.ts";

/** An advertiser with the reports that they have chosen to get by email, and whether the publisher sends any; undefined once they are gone. */
export async function findReportReader(db: Kysely<Tables>, advertiserId: string) {
  const found = await db
    .selectFrom("advertisers")
    .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
    .leftJoin("report_unsubscribes", "report_unsubscribes.advertiser_id", "advertisers.id")
    .where("advertisers.id", "=", advertiserId)
    .select([
      "advertisers.id",
      "advertisers.name",
      "advertisers.email",
      "workspaces.muted_mails",
      "advertisers.workspace_id",
      "advertisers.report_email",
      "report_unsubscribes.by_link",
      "workspaces.name as workspace",
    ])
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { report_email: chosen, by_link: byLink, email, muted_mails: muted, ...reader } = found;
  const choice: AdvertiserReportEmail = byLink === null ? chosen : "never";
  return {
    ...reader,
    chosen,
    choice,
    isEndedByLink: byLink === true,
    isReached: email !== null && !muted.includes("monthlyReports"),
  };
}

type ReportReader = NonNullable<Awaited<ReturnType<typeof findReportReader>>>;

/**
 * Sends an advertiser reports as often as they choose, from the next one on: on their page, or by the link in a report. What the link ended
 * only the link starts again: a buyer may have given somebody else's address.
 */
export async function chooseReports(
  db: Kysely<Tables>,
  advertiserId: string,
  choice: AdvertiserReportEmail,
  by: "page" | "link",
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("advertisers")
      .where("id", "=", advertiserId)
      .select("id")
      .forNoKeyUpdate()
      .executeTakeFirst();
    const reader = await findReportReader(trx, advertiserId);
    if (reader === undefined || (by === "page" && reader.isEndedByLink)) return;
    await saveChoice(trx, reader, choice, by);
    if (reader.choice === choice) return;
    await recordChange(
      trx,
      { kind: "advertiser", name: reader.name },
      {
        workspaceId: reader.workspace_id,
        action: choice === "never" ? "advertiser.unsubscribe" : "advertiser.subscribe",
        resourceId: advertiserId,
        before: { reportEmails: reader.choice },
        after: { reportEmails: choice },
      },
    );
  });
}

/** `report_unsubscribes` says never, so that an earlier release, which knows it alone, sends none either. */
async function saveChoice(
  trx: Transaction<Tables>,
  { id, workspace_id: workspaceId }: ReportReader,
  choice: AdvertiserReportEmail,
  by: "page" | "link",
): Promise<void> {
  if (choice === "never") {
    const byLink = { by_link: by === "link" };
    await trx
      .insertInto("report_unsubscribes")
      .values({ advertiser_id: id, workspace_id: workspaceId, ...byLink })
      .onConflict((conflict) => conflict.column("advertiser_id").doUpdateSet(byLink))
      .execute();
    return;
  }
  await trx.deleteFrom("report_unsubscribes").where("advertiser_id", "=", id).execute();
  await trx.updateTable("advertisers").set({ report_email: choice }).where("id", "=", id).execute();
}
