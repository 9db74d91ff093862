import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { explainRefusal } from "../account/explain-refusal.ts";
import { Frame } from "../shell/frame.tsx";
import { ButtonTo } from "../shell/links.tsx";
import { notifyDone } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { messageOf } from "../shell/problems.ts";
import { sessionQuery } from "../shell/session.ts";
import { QueryView } from "../shell/states.tsx";
import { FormNote } from "./form-note.tsx";
import { tokenIn } from "./link-token.ts";

/** Where the link leads that went to a new address. Only the person who asked for the change can confirm it. */
export function ConfirmEmailPage() {
  const { hash } = useLocation();
  const [token] = useState(() => tokenIn(hash));
  const session = useQuery(sessionQuery);

  if (token === null) {
    return (
      <Frame title="This link is incomplete" text="Open it from the mail again, or ask for a new one.">
        <ButtonTo to="/account">Go to your account</ButtonTo>
      </Frame>
    );
  }
  return (
    <QueryView query={session}>
      {(person) =>
        person === null ? (
          <Frame
            title="Sign in first"
            text="Sign in with the address that you have had so far, then open the link from the mail again."
          >
            <ButtonTo to="/sign-in">Sign in</ButtonTo>
          </Frame>
        ) : (
          <Confirm token={token} email={person.email} />
        )
      }
    </QueryView>
  );
}

function Confirm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => callPeople("POST", "/email-change/confirm", { token }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      notifyDone("E-mail address changed. You are signed out everywhere else.");
      await navigate({ to: "/account" });
    },
  });
  const problem = confirm.isError ? (explainRefusal(confirm.error) ?? messageOf(confirm.error)) : null;
  return (
    <Frame
      title="Confirm your new e-mail address"
      text={`You are signed in as ${email}. From now on you sign in with the address that this link was sent to.`}
    >
      <FormNote color="red">{problem}</FormNote>
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
        Confirm the address
      </Button>
    </Frame>
  );
}
