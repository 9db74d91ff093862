import { httpError } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { changeRole, endMembership, presentMember } from "./change.ts";
import { listMembers } from "./queries.ts";

export const memberRoutes = {
  list: api.members.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listMembers(services.db, input.workspaceId, input);
    return { ...envelope, items: rows.map(presentMember) };
  }),

  update: api.members.update.handler(async ({ input, context }) => changeRole(context, input)),

  remove: api.members.remove.handler(async ({ input, context }) =>
    endMembership(context, "member.remove", input),
  ),

  leave: api.members.leave.handler(async ({ input, context }) => {
    const { member } = actorOf(context);
    if (member === null) throw httpError("FORBIDDEN");
    return await endMembership(context, "member.leave", {
      workspaceId: input.workspaceId,
      memberId: member.id,
    });
  }),
};
