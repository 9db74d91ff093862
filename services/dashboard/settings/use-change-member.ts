import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MemberRole } from "#libs/domain/member.ts";
import { api, query } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Member } from "./members-query.ts";

/** Gives a member another role, or ends the membership; asks first where that cannot be taken back. */
export function useChangeMember({ id: memberId, person }: Member) {
  const workspace = useWorkspace();
  const workspaceId = workspace.id;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  /** What the person signed in may do here may be different now. */
  const lookAnew = async () => {
    await queryClient.invalidateQueries({ queryKey: query.members.key() });
    await queryClient.invalidateQueries({ queryKey: query.workspaces.key() });
  };
  const update = useMutation({
    mutationFn: (role: MemberRole) => api.members.update({ workspaceId, memberId, role }),
    onSuccess: async ({ role }) => {
      notifyDone(`${person.name} is ${role} now`);
      await lookAnew();
    },
    onError: notifyProblem,
  });
  const removal = useMutation({
    mutationFn: () => api.members.remove({ workspaceId, memberId }),
    onSuccess: async () => {
      notifyDone(`${person.name} is removed`);
      await lookAnew();
    },
    onError: notifyProblem,
  });
  const leaving = useMutation({
    mutationFn: () => api.members.leave({ workspaceId }),
    onSuccess: async () => {
      notifyDone(`You have left ${workspace.name}`);
      queryClient.removeQueries({ queryKey: query.workspaces.list.key() });
      await navigate({ to: "/" });
    },
    onError: notifyProblem,
  });

  return {
    isChanging: update.isPending || removal.isPending || leaving.isPending,
    changeRole: async (role: MemberRole, isMe: boolean) => {
      const isMeant =
        !isMe ||
        (await confirm({
          title: `Become ${role}?`,
          text: "You will no longer run the workspace and its members. Only another Owner can make you one again.",
          action: `Become ${role}`,
          isDangerous: true,
        }));
      if (isMeant) update.mutate(role);
    },
    remove: async () => {
      const isMeant = await confirm({
        title: `Remove ${person.name}?`,
        text: "The membership ends at once, and the API keys made by this person with it.",
        action: "Remove member",
        isDangerous: true,
      });
      if (isMeant) removal.mutate();
    },
    leave: async () => {
      const isMeant = await confirm({
        title: `Leave ${workspace.name}?`,
        text: "Your membership ends at once, and your API keys with it. To come back you have to be invited again.",
        action: "Leave workspace",
        isDangerous: true,
      });
      if (isMeant) leaving.mutate();
    },
  };
}
