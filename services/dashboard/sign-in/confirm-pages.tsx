import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth, explainAuthError, valueIn } from "../api/auth-api.ts";
import { codeOf, messageOf } from "../api/problems.ts";
import { readPerson, sessionQuery, useBeginSession } from "../api/session.ts";
import { PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { ButtonTo, LinkTo } from "../components/links.tsx";
import { FormNote } from "../components/notice.tsx";
import { notifyDone } from "../components/notify.ts";
import { QueryView } from "../components/states.tsx";
import { tokenIn } from "./invitation-token.ts";

/** The page behind the link in a sign-up email. It asks for the password, which only the person who signed up knows. */
export function ConfirmAccountPage() {
  const { hash } = useLocation();
  const [token] = useState(() => tokenIn(hash));
  if (token !== null) return <ConfirmAccount token={token} />;
  return (
    <Frame title="This link is incomplete" text="Open it from the email again, or sign in to get a new one.">
      <ButtonTo to="/sign-in">Go to sign-in</ButtonTo>
    </Frame>
  );
}

function ConfirmAccount({ token }: { readonly token: string }) {
  const { from } = useSearch({ from: "/confirm-account" });
  const router = useRouter();
  const navigate = useNavigate();
  const beginSession = useBeginSession();
  const state = useSubmission(
    { password: "" },
    {
      send: async ({ password }) => {
        const confirmed = await callAuth("POST", "/confirm-account", { token, password });
        const answer = await signIn(confirmed, password);
        if (readPerson(answer) === null) {
          const search = { notice: "verified" as const, ...(from === undefined ? {} : { from }) };
          await navigate({ to: "/sign-in", search, replace: true });
          return;
        }
        beginSession(answer);
        router.history.push(from ?? "/");
      },
      explain: explainRefusal,
    },
  );

  return (
    <Frame
      title="Confirm your address"
      text="Enter the password you chose when you created the account."
      footer={<LinkTo to="/forgot-password">Choose another password</LinkTo>}
    >
      <ShortForm state={state} action="Confirm and sign in">
        <PasswordField label="Password" {...state.bind("password")} autoFocus />
      </ShortForm>
    </Frame>
  );
}

/** Null if the sign-in fails: the address is confirmed anyway. */
async function signIn(confirmed: unknown, password: string): Promise<unknown> {
  const email = valueIn(confirmed, "email");
  return await callAuth("POST", "/sign-in/email", { email, password }).catch(() => null);
}

function explainRefusal(error: unknown): string | null {
  switch (codeOf(error)) {
    case "INVALID_PASSWORD":
      return "This isn’t the password of the sign-up. If someone else signed up with your address, choose another password below; theirs stops working.";
    case "INVALID_TOKEN":
      return "This link has expired. Sign in to get a new one.";
    default:
      return null;
  }
}

/** The page behind the link to a new address. Only the person who requested the change can confirm it. */
export function ConfirmEmailPage() {
  const { hash } = useLocation();
  const [token] = useState(() => tokenIn(hash));
  const session = useQuery(sessionQuery);

  if (token === null) {
    return (
      <Frame title="This link is incomplete" text="Open it from the email again, or ask for a new one.">
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
            text="Sign in with your current address, then open the link from the email again."
          >
            <ButtonTo to="/sign-in">Sign in</ButtonTo>
          </Frame>
        ) : (
          <ConfirmEmail token={token} email={person.email} />
        )
      }
    </QueryView>
  );
}

function ConfirmEmail({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => callAuth("POST", "/email-change/confirm", { token }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      notifyDone("Email address changed. You’re signed out everywhere else.");
      await navigate({ to: "/account" });
    },
  });
  const problem = confirm.isError ? (explainAuthError(confirm.error) ?? messageOf(confirm.error)) : null;
  return (
    <Frame
      title="Confirm your new email address"
      text={`You’re signed in as ${email}. From now on you’ll sign in with the address this link was sent to.`}
    >
      <FormNote color="red">{problem}</FormNote>
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
        Confirm address
      </Button>
    </Frame>
  );
}
