import { api, forMembers } from "../api.ts";
import { changeRole, endMembership, presentMember } from "./change.ts";
import { listMembers } from "./queries.ts";

export const memberRoutes = {
  list: forMembers(api.members.list, async ({ input, context: { services, access } }) => {
    const { envelope, rows } = await listMembers(services.db, access.workspaceId, input);
    return { ...envelope, items: rows.map(presentMember) };
  }),

  update: forMembers(api.members.update, async ({ input, context }) => changeRole(context, input)),

  remove: forMembers(api.members.remove, async ({ input, context }) =>
    endMembership(context, "member.remove", input.memberId),
  ),

  leave: forMembers(api.members.leave, async ({ context }) =>
    endMembership(context, "member.leave", context.access.memberId),
  ),
};
