import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { ReportEmail } from "#libs/domain/report-emails.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { api, forMembers, type MemberContext } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { deleteInvitationsOf, INVITING_ROLE } from "./invitation-queries.ts";
import { deleteMember, findMember, listMembers, lockOwners, type MemberRow, setRole } from "./queries.ts";
import { setReportEmails } from "./report-emails.ts";

const LAST_OWNER = "A workspace needs an Owner. Make another member one first.";

export const memberRoutes = {
  list: forMembers(api.members.list, async ({ input, context: { db, access } }) => {
    const { envelope, rows } = await listMembers(db, access.workspaceId, input);
    return { ...envelope, items: rows.map(presentMember) };
  }),

  update: forMembers(api.members.update, async ({ input, context }) => changeRole(context, input)),

  setReportEmails: forMembers(api.members.setReportEmails, async ({ input, context }) =>
    chooseReports(context, input.memberId, input.reportEmails),
  ),

  setMyReportEmails: forMembers(api.members.setMyReportEmails, async ({ input, context }) =>
    chooseReports(context, context.access.memberId, input.reportEmails),
  ),

  remove: forMembers(api.members.remove, async ({ input, context }) =>
    endMembership(context, "member.remove", input.memberId),
  ),

  leave: forMembers(api.members.leave, async ({ context }) =>
    endMembership(context, "member.leave", context.access.memberId),
  ),
};

/**
 * Gives a member another role. Their tracking keys follow it in the snapshot, and if the new role may not invite, their
 * invitations end. 404 for an unknown member, 409 if no Owner would be left.
 */
async function changeRole(
  context: MemberContext,
  { memberId, role }: { readonly memberId: string; readonly role: MemberRole },
) {
  const { workspaceId } = context.access;
  return await changeMember(context, memberId, async (trx, member, isLastOwner) => {
    if (isLastOwner && role !== "Owner")
      throw conflict("LAST_OWNER", { fieldErrors: { role: [LAST_OWNER] } });
    if (member.role === role) return presentMember(member);
    await setRole(trx, workspaceId, memberId, role);
    await bumpSnapshotVersion(trx, workspaceId);
    if (role !== INVITING_ROLE) await revokeInvitationsOf(trx, context, member);
    await recordChange(trx, context.access.actor, {
      workspaceId,
      action: "member.update",
      resourceId: memberId,
      before: { role: member.role },
      after: { role },
    });
    return presentMember({ ...member, role });
  });
}

async function chooseReports(
  { db, access: { actor, workspaceId } }: MemberContext,
  memberId: string,
  reportEmails: readonly ReportEmail[],
) {
  const member = await setReportEmails(db, actor, { workspaceId, memberId }, reportEmails);
  if (member === undefined) throw notFound("Member");
  return presentMember(member);
}

/** Ends a membership with its keys and invitations. 404 for an unknown member, 409 if no Owner would be left. */
async function endMembership(
  context: MemberContext,
  action: "member.remove" | "member.leave",
  memberId: string,
) {
  const { workspaceId } = context.access;
  return await changeMember(context, memberId, async (trx, member, isLastOwner) => {
    if (isLastOwner) throw conflict("LAST_OWNER", { formErrors: [LAST_OWNER] });
    await deleteMember(trx, workspaceId, memberId);
    await bumpSnapshotVersion(trx, workspaceId);
    await revokeInvitationsOf(trx, context, member);
    await recordChange(trx, context.access.actor, {
      workspaceId,
      action,
      resourceId: memberId,
      before: { name: member.name, email: member.email, role: member.role },
    });
    return { success: true };
  });
}

async function revokeInvitationsOf(
  trx: Transaction<Tables>,
  { access: { actor, workspaceId } }: MemberContext,
  inviter: MemberRow,
): Promise<void> {
  for (const { id, ...before } of await deleteInvitationsOf(trx, workspaceId, inviter.person_id)) {
    await recordChange(trx, actor, {
      workspaceId,
      action: "invitation.revoke",
      resourceId: id,
      before,
    });
  }
}

async function changeMember<T>(
  { db, access: { workspaceId } }: MemberContext,
  memberId: string,
  change: (trx: Transaction<Tables>, member: MemberRow, isLastOwner: boolean) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    const owners = await lockOwners(trx, workspaceId);
    const member = await findMember(trx, workspaceId, memberId);
    if (member === undefined) throw notFound("Member");
    return await change(trx, member, owners.length === 1 && owners[0] === member.id);
  });
}

/** A member as the others see it. */
function presentMember(row: MemberRow) {
  return {
    id: row.id,
    role: row.role,
    person: { id: row.person_id, name: row.name, email: row.email },
    reportEmails: row.report_emails,
    createdAt: row.created_at.toISOString(),
  };
}
