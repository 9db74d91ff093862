import { z } from "zod";
import { COUNT_LIMITS } from "#libs/domain/limits.ts";
import { REPORT_EMAILS } from "#libs/domain/report-emails.ts";
import { peopleApi, sessionApi } from "./errors.ts";
import { pageOf, paging } from "./query.ts";
import { email, id, text, timestamp } from "./text.ts";
import { memberRole, workspace } from "./workspaces.ts";

const reportEmails = z.array(z.enum(REPORT_EMAILS)).max(REPORT_EMAILS.length).meta({
  description:
    "The reports of the workspace that the member gets by email: `week` on Mondays about the week before, `month` on the first about the month before, at about 06:00 in the workspace's time zone.",
});

export const member = z.object({
  id: id("mem_01kahm4sw4fksra52s8bd8xkd1"),
  role: memberRole,
  person: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  reportEmails,
  createdAt: timestamp,
});
export type Member = z.output<typeof member>;

export const invitation = z.object({
  id: id("inv_01kahm4sw4fksra52s8bd8xkd1"),
  email: z.string(),
  role: memberRole,
  invitedBy: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: "Null once that person is gone." }),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Invitation = z.output<typeof invitation>;

const inWorkspace = z.object({ workspaceId: z.string() });
const oneMember = inWorkspace.extend({ memberId: z.string() });
const success = z.object({ success: z.boolean() });

/** Who works in a workspace. For people alone: a key that leaks must not be able to let anybody in. */
export const membersContract = {
  list: peopleApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/members",
      tags: ["Members"],
      summary: "List members",
      description: "Earliest members first.",
    })
    .input(inWorkspace.extend(paging))
    .output(pageOf(member)),
  update: peopleApi("Owner")
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/members/{memberId}",
      tags: ["Members"],
      summary: "Change a member's role",
      description:
        "Takes effect with the next request, also for the member's keys. The last Owner cannot be demoted: a 409.",
    })
    .input(oneMember.extend({ role: memberRole }))
    .output(member),
  setReportEmails: peopleApi("Manager")
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/members/{memberId}/report-emails",
      tags: ["Members"],
      summary: "Choose which reports a member gets by email",
      description: "Replaces what the member had chosen.",
    })
    .input(oneMember.extend({ reportEmails }))
    .output(member),
  setMyReportEmails: peopleApi("Viewer")
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/my-report-emails",
      tags: ["Members"],
      summary: "Choose which reports I get by email",
      description: "Replaces what I had chosen.",
    })
    .input(inWorkspace.extend({ reportEmails }))
    .output(member),
  remove: peopleApi("Owner")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/members/{memberId}",
      tags: ["Members"],
      summary: "Remove a member",
      description: "The member's API keys end with the membership. The last Owner cannot be removed: a 409.",
    })
    .input(oneMember)
    .output(success),
  leave: peopleApi("Viewer")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/leave",
      tags: ["Members"],
      summary: "Leave a workspace",
      description: "Ends my membership and my API keys in the workspace. The last Owner cannot leave: a 409.",
    })
    .input(inWorkspace)
    .output(success),
};

export const invitationsContract = {
  list: peopleApi("Owner")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/invitations",
      tags: ["Members"],
      summary: "List open invitations",
      description: "Newest first; accepted and expired ones are left out.",
    })
    .input(inWorkspace.extend(paging))
    .output(pageOf(invitation)),
  create: peopleApi("Owner")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/invitations",
      tags: ["Members"],
      summary: "Invite a person by email",
      description: `The email contains a link that is valid for 7 days. Inviting the same address again replaces the invitation and its link. Inviting a member is a 409. ${COUNT_LIMITS.invitations.sentence} ${COUNT_LIMITS.members.sentence}`,
    })
    .input(inWorkspace.extend({ email, role: memberRole }))
    .output(invitation),
  revoke: peopleApi("Owner")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/invitations/{invitationId}",
      tags: ["Members"],
      summary: "Revoke an invitation",
      description: "Its link no longer works.",
    })
    .input(inWorkspace.extend({ invitationId: z.string() }))
    .output(success),
  accept: sessionApi
    .route({
      method: "POST",
      path: "/invitations/accept",
      tags: ["Members"],
      summary: "Accept an invitation",
      description:
        "With the token from the email, signed in with the invited address; a 403 with another address. An expired, replaced, revoked or used token is a 404.",
    })
    .input(z.object({ token: text(200) }))
    .output(workspace),
};
