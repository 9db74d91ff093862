import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth, valueIn } from "../api/auth-api.ts";
import { readPerson, useBeginSession } from "../api/session.ts";
import { checkNewPassword, EmailInput, NameInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { LinkTo } from "../components/links.tsx";

/** Whether sign-up is open, closed or for invited people only. If this fails, the sign-up itself reports it. */
const signUpQuery = queryOptions({
  queryKey: ["sign-up"],
  queryFn: async () => valueIn(await callAuth("GET", "/sign-up"), "signUp") ?? null,
});

export function SignUpPage() {
  const { data: signUp } = useQuery(signUpQuery);
  if (signUp !== "closed") return <SignUp isInvited={signUp === "invited"} />;
  return (
    <Frame
      title="Sign-up is closed"
      text="The operator of this installation does not allow new accounts."
      footer={<LinkTo to="/sign-in">Back to sign-in</LinkTo>}
    />
  );
}

function SignUp({ isInvited }: { readonly isInvited: boolean }) {
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
        const answer = await callAuth("POST", "/sign-up/email", { ...draft, email, callbackURL });
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
        isInvited
          ? "Only invited people can create an account. Use the address the invitation was sent to."
          : "Sell ad placements on your own site."
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
