import { Group, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isEmailAddress } from "#libs/domain/email-address.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { DraftForm } from "../editing/draft-form.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { ROLES, readRole } from "./roles.ts";

interface InviteDraft {
  readonly email: string;
  readonly role: MemberRole;
}

const EMPTY: InviteDraft = { email: "", role: "Manager" };

/** Invites somebody by e-mail. */
export function InviteForm() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const state = useDraft(EMPTY);
  const { draft, errors, change } = state;
  const invite = useMutation(
    query.invitations.create.mutationOptions({
      onSuccess: ({ email }) => {
        state.restart(EMPTY);
        void queryClient.invalidateQueries({ queryKey: query.invitations.key() });
        notifyDone(`${email} is invited`);
      },
      onError: state.refuseBy,
    }),
  );
  const submit = () => {
    const email = draft.email.trim();
    if (!isEmailAddress(email)) state.refuse({ email: "Enter an e-mail address." });
    else invite.mutate({ workspaceId, email, role: draft.role });
  };
  return (
    <DraftForm
      state={state}
      label="Invite somebody"
      submit="Send invitation"
      isSaving={invite.isPending}
      isDisabled={draft.email.trim() === ""}
      onSubmit={submit}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          value={draft.email}
          error={errors.email}
          onChange={({ currentTarget }) => change({ email: currentTarget.value })}
          style={{ flex: "2 1 14rem" }}
        />
        <NativeSelect
          label="Role"
          data={ROLES.map(({ value, label }) => ({ value, label }))}
          description={ROLES.find(({ value }) => value === draft.role)?.description}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={draft.role}
          error={errors.role}
          onChange={({ currentTarget }) => change({ role: readRole(currentTarget.value) ?? EMPTY.role })}
          style={{ flex: "2 1 14rem" }}
        />
      </Group>
    </DraftForm>
  );
}
