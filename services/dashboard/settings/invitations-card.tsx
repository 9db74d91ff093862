import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Section } from "../editing/section.tsx";
import { query } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { formatDate } from "../shell/format.ts";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { InviteForm } from "./invite-form.tsx";
import { type Invitation, invitationsQuery } from "./members-query.ts";
import { Rows } from "./rows.tsx";

/** Who has been invited and has not come yet, with the form that invites. */
export function InvitationsCard() {
  const { id: workspaceId } = useWorkspace();
  const invitations = useQuery(invitationsQuery(workspaceId));
  return (
    <Section
      title="Invitations"
      text="The mail holds a link that is good for 7 days. Inviting an address again replaces its link."
    >
      <InviteForm />
      <QueryView query={invitations}>
        {(found) =>
          found.length === 0 ? (
            <Text size="sm" c="dimmed">
              No invitation is open.
            </Text>
          ) : (
            <Rows label="Open invitations">
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
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const { id, email, role, invitedBy, expiresAt } = invitation;
  const revoke = useMutation(
    query.invitations.revoke.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: query.invitations.key() });
        notifyDone("Invitation revoked");
      },
      onError: notifyProblem,
    }),
  );
  const ask = async () => {
    const isMeant = await confirm({
      title: "Revoke this invitation?",
      text: `The link in the mail to ${email} stops working.`,
      action: "Revoke invitation",
      isDangerous: true,
    });
    if (isMeant) revoke.mutate({ workspaceId, invitationId: id });
  };
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: "1 1 14rem", minWidth: 0 }}>
        <Text fw={600} style={{ overflowWrap: "anywhere" }}>
          {email}
        </Text>
        <Text size="sm" c="dimmed">
          {`${role} · until ${formatDate(expiresAt)}${invitedBy === null ? "" : ` · invited by ${invitedBy.name}`}`}
        </Text>
      </Stack>
      <Button
        variant="default"
        size="xs"
        loading={revoke.isPending}
        aria-label={`Revoke the invitation of ${email}`}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
    </Group>
  );
}
