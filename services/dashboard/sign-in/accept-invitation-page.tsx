import { Button, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, query } from "../shell/client.ts";
import { Frame } from "../shell/frame.tsx";
import { ButtonTo } from "../shell/links.tsx";
import { notifyDone } from "../shell/notify.ts";
import { messageOf, statusOf } from "../shell/problems.ts";
import { type Person, sessionQuery, signOut } from "../shell/session.ts";
import { QueryView } from "../shell/states.tsx";
import { FormNote } from "./form-note.tsx";
import { forgetInvitation, keepInvitation } from "./invitation-token.ts";

const HERE = "/accept-invitation";

export function AcceptInvitationPage() {
  const { hash } = useLocation();
  const [token] = useState(() => keepInvitation(hash));
  const session = useQuery(sessionQuery);

  if (token === null) {
    return (
      <Frame title="This link is not whole" text="Open it from the mail again, or ask for a new invitation.">
        <ButtonTo to="/">Go to the start</ButtonTo>
      </Frame>
    );
  }
  return (
    <QueryView query={session}>
      {(person) => (person === null ? <WhoAreYou /> : <Accept token={token} person={person} />)}
    </QueryView>
  );
}

function WhoAreYou() {
  return (
    <Frame
      title="You are invited"
      text="Sign in with the address that the invitation was sent to, or create an account with it."
    >
      <Stack gap="sm">
        <ButtonTo to="/sign-in" search={{ from: HERE }}>
          Sign in
        </ButtonTo>
        <ButtonTo to="/sign-up" search={{ from: HERE }} variant="default">
          Create an account
        </ButtonTo>
      </Stack>
    </Frame>
  );
}

function Accept({ token, person }: { readonly token: string; readonly person: Person }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const accept = useMutation({
    mutationFn: () => api.invitations.accept({ token }),
    onSuccess: async ({ id, name }) => {
      forgetInvitation();
      await queryClient.invalidateQueries({ queryKey: query.workspaces.key() });
      notifyDone(`You are a member of ${name} now.`);
      await navigate({ to: "/w/$workspaceId/overview", params: { workspaceId: id }, search: {} });
    },
  });
  const isOtherAddress = statusOf(accept.error) === 403;

  return (
    <Frame title="You are invited" text={`You are signed in as ${person.email}.`}>
      <FormNote color="red">{accept.isError ? explainRefusal(accept.error) : null}</FormNote>
      <Stack gap="sm">
        {isOtherAddress ? null : (
          <Button onClick={() => accept.mutate()} loading={accept.isPending}>
            Join the workspace
          </Button>
        )}
        <Button variant="default" onClick={() => void signOut(HERE)}>
          Use another account
        </Button>
      </Stack>
    </Frame>
  );
}

function explainRefusal(error: unknown): string {
  if (statusOf(error) === 403) return "The invitation was sent to another address than yours.";
  if (statusOf(error) === 404)
    return "The invitation has expired, was replaced or was used before. Ask for a new one.";
  return messageOf(error);
}
