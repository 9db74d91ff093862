import { queryOptions, useQuery } from "@tanstack/react-query";
import { useLocation, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth, valueIn } from "../api/auth-api.ts";
import { readPerson, useBeginSession } from "../api/session.ts";
import { checkNewPassword, EmailInput, NameInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { LinkTo } from "../components/links.tsx";
import { keepInvitation } from "./invitation-token.ts";

/** Who may sign up at present. If this fails, the sign-up itself reports it. */
const signUpQuery = queryOptions({
  queryKey: ["sign-up"],
  queryFn: async () => valueIn(await callAuth("GET", "/sign-up"), "signUp") ?? null,
});

const REFUSALS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  closed: {
    title: "Sign-up is closed",
    text: "The operator of this installation does not allow new accounts.",
  },
  invited: {
    title: "You need an invitation",
    text: "Only invited people can create an account. Open the link in your invitation.",
  },
  "set-up": {
    title: "Nobody has an account yet",
    text: "Open the set-up link that this installation printed when it started. A new start prints a new link.",
  },
};

export function SignUpPage() {
  const { data: signUp } = useQuery(signUpQuery);
  const { hash } = useLocation();
  const [token] = useState(() => keepInvitation(hash));
  const refusal =
    typeof signUp === "string" && (token === null || signUp === "closed") ? REFUSALS[signUp] : undefined;
  if (refusal === undefined) return <SignUp token={token} isInvited={signUp === "invited"} />;
  return <Frame {...refusal} footer={<LinkTo to="/sign-in">Back to sign-in</LinkTo>} />;
}

interface SignUpProps {
  /** The token of an invitation or of the set-up link. */
  readonly token: string | null;
  readonly isInvited: boolean;
}

function SignUp({ token, isInvited }: SignUpProps) {
  const { from } = useSearch({ from: "/sign-up" });
  const search = from === undefined ? {} : { from };
  const router = useRouter();
  const beginSession = useBeginSession();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const state = useSubmission(
    { name: "", email: "", password: "" },
    {
      check: ({ password }) => checkNewPassword("password", password),
      send: async (draft) => {
        const email = draft.email.trim();
        // The verification link, if this installation sends one, leads here in the end.
        const callbackURL = from ?? "/";
        const admission = token === null ? {} : { token };
        const body = { ...draft, ...admission, email, callbackURL };
        const answer = await callAuth("POST", "/sign-up/email", body);
        if (beginsSession(answer)) {
          beginSession(answer);
          router.history.push(from ?? "/");
        } else setSentTo(email);
      },
    },
  );

  if (sentTo !== null) {
    return (
      <Frame
        title="Check your email"
        text={`If ${sentTo} can be used, we’ve sent a link to verify it. The link expires in one hour.`}
        footer={<LinkTo to="/sign-in">Back to sign-in</LinkTo>}
      />
    );
  }
  return (
    <Frame
      title="Create your account"
      text={
        isInvited ? "Use the address the invitation was sent to." : "Sell ad placements on your own site."
      }
      footer={
        <>
          Have an account?{" "}
          <LinkTo to="/sign-in" search={search}>
            Sign in
          </LinkTo>
        </>
      }
    >
      <ShortForm state={state} action="Create account">
        <NameInput {...state.bind("name")} autoFocus />
        <EmailInput {...state.bind("email")} />
        <PasswordField label="Password" isNew {...state.bind("password")} />
      </ShortForm>
    </Frame>
  );
}

/** If addresses are verified first, a sign-up returns no session. */
function beginsSession(answer: unknown): boolean {
  return typeof valueIn(answer, "token") === "string" && readPerson(answer) !== null;
}
