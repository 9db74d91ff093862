import { notFound } from "#libs/http/index.ts";
import { api, forMembers, forSignedIn } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { deleteInvitation, listInvitations } from "./invitation-queries.ts";
import { acceptInvitation, invite } from "./invitations.ts";

export const invitationRoutes = {
  list: forMembers(api.invitations.list, async ({ input, context: { services, access } }) => {
    const now = new Date(services.now());
    const { envelope, rows } = await listInvitations(services.db, access.workspaceId, now, input);
    return {
      ...envelope,
      items: rows.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role,
        invitedBy:
          row.inviter_id === null || row.inviter_name === null
            ? null
            : { id: row.inviter_id, name: row.inviter_name },
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      })),
    };
  }),

  create: forMembers(api.invitations.create, async ({ input, context }) => invite(context, input)),

  revoke: forMembers(api.invitations.revoke, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { invitationId } = input;
    await context.services.db.transaction().execute(async (trx) => {
      const revoked = await deleteInvitation(trx, workspaceId, invitationId);
      if (revoked === undefined) throw notFound("Invitation");
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "invitation.revoke",
        resourceId: invitationId,
        before: revoked,
      });
    });
    return { success: true };
  }),

  accept: forSignedIn(api.invitations.accept, async ({ input, context }) =>
    acceptInvitation(context, input.token),
  ),
};
