import type { QueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Member } from "#libs/contract/members.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { useAction } from "../components/use-action.ts";

/** Changes the role of a member, or ends the membership. Asks before what cannot be undone. */
export function useChangeMember({ id: memberId, person }: Member) {
  const { id: workspaceId, name: workspaceName } = useWorkspace();
  const navigate = useNavigate();
  // The role of the signed-in person may have changed.
  const reload = async (_result: unknown, client: QueryClient) => {
    await client.invalidateQueries({ queryKey: query.members.key() });
    await client.invalidateQueries({ queryKey: query.workspaces.key() });
  };
  const update = useAction({
    question: ({ role, isMe }: { readonly role: MemberRole; readonly isMe: boolean }) =>
      isMe
        ? {
            title: `Become ${withArticle(role)}?`,
            text: "You will no longer manage the workspace and its members. Only another owner can make you one again.",
            action: `Become ${withArticle(role)}`,
          }
        : null,
    send: ({ role }) => api.members.update({ workspaceId, memberId, role }),
    done: ({ role }) => `${person.name} is now ${withArticle(role)}`,
    onDone: reload,
  });
  const removal = useAction({
    question: () => ({
      title: `Remove ${person.name}?`,
      text: "Their membership and the API keys they created end immediately.",
      action: "Remove member",
    }),
    send: () => api.members.remove({ workspaceId, memberId }),
    done: `${person.name} removed`,
    onDone: reload,
  });
  const leaving = useAction({
    question: () => ({
      title: `Leave ${workspaceName}?`,
      text: "Your membership and your API keys end immediately. To come back you need a new invitation.",
      action: "Leave workspace",
    }),
    send: () => api.members.leave({ workspaceId }),
    done: `You left ${workspaceName}`,
    onDone: async (_result, client) => {
      client.removeQueries({ queryKey: query.workspaces.list.key() });
      await navigate({ to: "/" });
    },
  });
  return {
    isBusy: update.isBusy || removal.isBusy || leaving.isBusy,
    changeRole: update.act,
    remove: removal.act,
    leave: leaving.act,
  };
}

/** `an owner`, `a manager`. */
function withArticle(role: MemberRole): string {
  return `${role === "Owner" ? "an" : "a"} ${role.toLowerCase()}`;
}
