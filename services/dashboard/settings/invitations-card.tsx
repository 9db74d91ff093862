import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Invitation } from "#libs/contract/members.ts";
import { isEmailAddress } from "#libs/domain/email-address.ts";
import { MEMBER_ROLES, type MemberRole } from "#libs/domain/member.ts";
import { api, query } from "../api/client.ts";
import { invitationsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { formatDate } from "../components/format.ts";
import { DraftForm, useDraftForm } from "../components/forms/draft-form.tsx";
import { Row, Rows } from "../components/lists.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

/** The pending invitations, with the form that sends one. */
export function InvitationsCard() {
  const { id: workspaceId } = useWorkspace();
  const invitations = useQuery(invitationsQuery(workspaceId));
  return (
    <Section
      isSplit
      title="Invitations"
      text="Invitation links expire after 7 days. Re-inviting someone replaces the link."
    >
      <InviteForm />
      <QueryView query={invitations}>
        {(found) =>
          found.length === 0 ? (
            <Text size="sm" c="dimmed">
              No pending invitations.
            </Text>
          ) : (
            <Rows label="Pending invitations">
              {found.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </Rows>
          )
        }
      </QueryView>
    </Section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { id: workspaceId } = useWorkspace();
  const { id, email, role, invitedBy, expiresAt } = invitation;
  const { isBusy, act: revoke } = useAction({
    question: () => ({
      title: "Revoke this invitation?",
      text: `The link in the email to ${email} stops working.`,
      action: "Revoke invitation",
    }),
    send: () => api.invitations.revoke({ workspaceId, invitationId: id }),
    done: "Invitation revoked",
    reload: [query.invitations.key()],
  });
  return (
    <Row
      title={email}
      detail={`${role} · expires ${formatDate(expiresAt)}${invitedBy === null ? "" : ` · invited by ${invitedBy.name}`}`}
    >
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        aria-label={`Revoke invitation to ${email}`}
        onClick={() => void revoke()}
      >
        Revoke
      </Button>
    </Row>
  );
}

const PERMISSIONS: Readonly<Record<MemberRole, string>> = {
  Owner: "Manages the workspace and its members.",
  Manager: "Reviews ads, edits tiers and fields.",
  Viewer: "Sees everything, changes nothing.",
};

const EMPTY: { readonly email: string; readonly role: MemberRole } = { email: "", role: "Manager" };

function InviteForm() {
  const { id: workspaceId } = useWorkspace();
  const state = useDraftForm(EMPTY, {
    check: ({ email, role }) =>
      isEmailAddress(email.trim())
        ? { input: { email: email.trim(), role } }
        : { errors: { email: "Enter an email address." } },
    send: (input) => api.invitations.create({ workspaceId, ...input }),
    done: ({ email }) => `Invitation sent to ${email}`,
    reload: [query.invitations.key()],
    onDone: () => {
      state.restart(EMPTY);
    },
  });
  const { bind, draft, errors, change } = state;
  return (
    <DraftForm
      state={state}
      label="Invite someone"
      action="Send invitation"
      isDisabled={draft.email.trim() === ""}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          label="Email"
          required
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          {...bind("email")}
          style={{ flex: "2 1 14rem" }}
        />
        <NativeSelect
          label="Role"
          data={[...MEMBER_ROLES]}
          description={PERMISSIONS[draft.role]}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={draft.role}
          error={errors.role}
          onChange={({ currentTarget }) =>
            change({ role: oneOf(MEMBER_ROLES, currentTarget.value) ?? EMPTY.role })
          }
          style={{ flex: "2 1 14rem" }}
        />
      </Group>
    </DraftForm>
  );
}
