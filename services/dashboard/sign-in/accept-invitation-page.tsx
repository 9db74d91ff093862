import { Button, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, query } from "../api/client.ts";
import { messageOf, statusOf } from "../api/problems.ts";
import { type Person, sessionQuery, signOut } from "../api/session.ts";
import { Frame } from "../components/frame.tsx";
import { ButtonTo } from "../components/links.tsx";
import { FormNote } from "../components/notice.tsx";
import { notifyDone } from "../components/notify.ts";
import { QueryView } from "../components/states.tsx";
import { forgetInvitation, keepInvitation } from "./invitation-token.ts";

const PATH = "/accept-invitation";

export function AcceptInvitationPage() {
  const { hash } = useLocation();
  const [token] = useState(() => keepInvitation(hash));
  const session = useQuery(sessionQuery);

  if (token === null) {
    return (
      <Frame
        title="This link is incomplete"
        text="Open it from the email again, or ask for a new invitation."
      >
        <ButtonTo to="/">Go to home</ButtonTo>
      </Frame>
    );
  }
  return (
    <QueryView query={session}>
      {(person) => (person === null ? <SignInFirst /> : <Accept token={token} person={person} />)}
    </QueryView>
  );
}

function SignInFirst() {
  return (
    <Frame
      title="You’re invited"
      text="Sign in with the address the invitation was sent to, or create an account with it."
    >
      <Stack gap="sm">
        <ButtonTo to="/sign-in" search={{ from: PATH }}>
          Sign in
        </ButtonTo>
        <ButtonTo to="/sign-up" search={{ from: PATH }} variant="default">
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
      notifyDone(`You’re now a member of ${name}.`);
      await navigate({ to: "/w/$workspaceId/overview", params: { workspaceId: id }, search: {} });
    },
  });
  const isOtherAddress = statusOf(accept.error) === 403;

  return (
    <Frame title="You’re invited" text={`You’re signed in as ${person.email}.`}>
      <FormNote color="red">{accept.isError ? explainRefusal(accept.error) : null}</FormNote>
      <Stack gap="sm">
        {isOtherAddress ? null : (
          <Button onClick={() => accept.mutate()} loading={accept.isPending}>
            Join the workspace
          </Button>
        )}
        <Button variant="default" onClick={() => void signOut(PATH)}>
          Use another account
        </Button>
      </Stack>
    </Frame>
  );
}

function explainRefusal(error: unknown): string {
  if (statusOf(error) === 403) return "This invitation was sent to a different address.";
  if (statusOf(error) === 404)
    return "This invitation has expired, was replaced or was already used. Ask for a new one.";
  return messageOf(error);
}
