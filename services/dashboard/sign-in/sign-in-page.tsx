import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Frame } from "../shell/frame.tsx";
import { LinkTo } from "../shell/links.tsx";
import { callPeople } from "../shell/people-api.ts";
import { codeOf } from "../shell/problems.ts";
import type { Notice } from "../shell/redirects.ts";
import { useBeginSession } from "../shell/session.ts";
import { FormNote } from "./form-note.tsx";
import { EmailInput, PasswordField } from "./inputs.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { asksForCode, SecondStep } from "./second-step.tsx";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

const NOTICES: Readonly<Record<Notice, string>> = {
  ended: "Your session has ended. Sign in to go on where you were.",
  verified: "Your address is verified. You can sign in now.",
  reset: "Your password is changed. Sign in with the new one.",
};

export function SignInPage() {
  const { from, notice } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const beginSession = useBeginSession();
  const [isAsked, setAsked] = useState(false);
  const begin = (answer: unknown) => {
    beginSession(answer);
    router.history.push(from ?? "/");
  };
  const state = useSubmission(
    { email: "", password: "" },
    {
      send: async ({ email, password }) => {
        const answer = await callPeople("POST", "/sign-in/email", { email: email.trim(), password });
        if (asksForCode(answer)) setAsked(true);
        else begin(answer);
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change } = state;

  const goBack = () => {
    state.restart({ ...draft, password: "" });
    setAsked(false);
  };
  if (isAsked) return <SecondStep onSignedIn={begin} onBack={goBack} />;
  return (
    <Frame
      title="Sign in"
      footer={
        <>
          New here?{" "}
          <LinkTo to="/sign-up" search={from === undefined ? {} : { from }}>
            Create an account
          </LinkTo>
        </>
      }
    >
      {notice === undefined ? null : <FormNote color="blue">{NOTICES[notice]}</FormNote>}
      <ShortForm state={state} action="Sign in">
        <EmailInput
          value={draft.email}
          error={errors.email}
          onChange={(email) => change({ email })}
          autoFocus
        />
        <PasswordField
          label="Password"
          value={draft.password}
          error={errors.password}
          onChange={(password) => change({ password })}
        />
      </ShortForm>
      <PasskeyButton onSignedIn={begin} />
      <LinkTo to="/forgot-password" size="sm" ta="center">
        Forgot your password?
      </LinkTo>
    </Frame>
  );
}

function explainRefusal(error: unknown): string | null {
  switch (codeOf(error)) {
    case "INVALID_EMAIL_OR_PASSWORD":
      return "The e-mail address or the password is wrong.";
    case "EMAIL_NOT_VERIFIED":
      return "Verify your address first: we have just sent you another link.";
    default:
      return null;
  }
}
