import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { REPORT_EMAILS, type ReportEmail } from "#libs/domain/report-emails.ts";
import type { Actor } from "../../api/access/granted.ts";
import { recordChange } from "../../audit/record.ts";
import { findMember, type MemberRow } from "./queries.ts";

interface Target {
  readonly workspaceId: string;
  readonly memberId: string;
}

/** Sets which reports a member gets by email, from the next one on; undefined for an unknown member. */
export async function setReportEmails(
  db: Kysely<Tables>,
  actor: Actor,
  { workspaceId, memberId }: Target,
  chosen: readonly ReportEmail[],
): Promise<MemberRow | undefined> {
  const reportEmails = REPORT_EMAILS.filter((one) => chosen.includes(one));
  return await db.transaction().execute(async (trx) => {
    const member = await findMember(trx, workspaceId, memberId);
    if (member === undefined) return undefined;
    await trx
      .updateTable("members")
      .set({ report_emails: reportEmails })
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", memberId)
      .execute();
    // Nothing is recorded where nothing differs.
    if (member.report_emails.join() !== reportEmails.join())
      await recordChange(trx, actor, {
        workspaceId,
        action: "member.update",
        resourceId: memberId,
        before: { reportEmails: member.report_emails },
        after: { reportEmails },
      });
    return { ...member, report_emails: reportEmails };
  });
}
