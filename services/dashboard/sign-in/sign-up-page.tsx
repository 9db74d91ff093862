import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Frame } from "../shell/frame.tsx";
import { LinkTo } from "../shell/links.tsx";
import { callPeople } from "../shell/people-api.ts";
import { readPerson, useBeginSession } from "../shell/session.ts";
import { EmailInput, NameInput, PasswordField } from "./inputs.tsx";
import { checkNewPassword } from "./passwords.ts";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

/** Who may sign up at present; where that cannot be found out, a sign-up finds out. */
const signUpQuery = queryOptions({
  queryKey: ["sign-up"],
  queryFn: async () => {
    const answer = await callPeople("GET", "/sign-up");
    return typeof answer === "object" && answer !== null && "signUp" in answer ? answer.signUp : null;
  },
});

export function SignUpPage() {
  const { data: signUp } = useQuery(signUpQuery);
  return signUp === "closed" ? <Closed /> : <SignUp isInvited={signUp === "invited"} />;
}

function Closed() {
  return (
    <Frame
      title="Nobody can create an account here"
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
  const [writtenTo, setWrittenTo] = useState<string | null>(null);
  const state = useSubmission(
    { name: "", email: "", password: "" },
    {
      check: ({ password }) => checkNewPassword("password", password),
      send: async (draft) => {
        const email = draft.email.trim();
        // Where the link of a verification leads in the end, if this installation sends one.
        const callbackURL = from ?? "/";
        const answer = await callPeople("POST", "/sign-up/email", { ...draft, email, callbackURL });
        if (beginsSession(answer)) {
          beginSession(answer);
          router.history.push(from ?? "/");
        } else setWrittenTo(email);
      },
    },
  );
  const { draft, errors, change } = state;

  if (writtenTo !== null) return <CheckYourMail email={writtenTo} />;
  return (
    <Frame
      title="Create your account"
      text={
        isInvited
          ? "Only people who were invited can create an account. Use the address that the invitation was sent to."
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
        <NameInput value={draft.name} error={errors.name} onChange={(name) => change({ name })} autoFocus />
        <EmailInput value={draft.email} error={errors.email} onChange={(email) => change({ email })} />
        <PasswordField
          label="Password"
          isNew
          value={draft.password}
          error={errors.password}
          onChange={(password) => change({ password })}
        />
      </ShortForm>
    </Frame>
  );
}

function CheckYourMail({ email }: { readonly email: string }) {
  return (
    <Frame
      title="Check your mail"
      text={`If ${email} can be used, a link to verify it is on its way. It is good for an hour.`}
      footer={<LinkTo to="/sign-in">Back to sign-in</LinkTo>}
    />
  );
}

/** Where addresses are verified first, a sign-up answers without a session. */
function beginsSession(answer: unknown): boolean {
  const hasToken =
    typeof answer === "object" && answer !== null && "token" in answer && answer.token !== null;
  return hasToken && readPerson(answer) !== null;
}
