import { Button, Stack } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth, explainAuthError, valueIn } from "../api/auth-api.ts";
import { signInWithPasskey, whyNoPasskeys } from "../api/passkeys.ts";
import { codeOf, messageOf } from "../api/problems.ts";
import { useBeginSession } from "../api/session.ts";
import { EmailInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { Icon } from "../components/icon.tsx";
import { LinkTo } from "../components/links.tsx";
import { FormNote } from "../components/notice.tsx";
import type { Notice } from "./redirects.ts";
import { SecondStep } from "./second-step.tsx";

const NOTICES: Readonly<Record<Notice, string>> = {
  ended: "Your session has ended. Sign in to pick up where you left off.",
  verified: "Your address is verified. You can now sign in.",
  reset: "Your password has been changed. Sign in with the new one.",
};

export function SignInPage() {
  const { from, notice } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const beginSession = useBeginSession();
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const begin = (answer: unknown) => {
    beginSession(answer);
    router.history.push(from ?? "/");
  };
  const state = useSubmission(
    { email: "", password: "" },
    {
      send: async ({ email, password }) => {
        const answer = await callAuth("POST", "/sign-in/email", { email: email.trim(), password });
        if (valueIn(answer, "twoFactorRedirect") === true) setCodeNeeded(true);
        else begin(answer);
      },
      explain: explainRefusal,
    },
  );

  const goBack = () => {
    state.restart({ ...state.draft, password: "" });
    setCodeNeeded(false);
  };
  if (isCodeNeeded) return <SecondStep onSignedIn={begin} onBack={goBack} />;
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
        <EmailInput {...state.bind("email")} autoFocus />
        <PasswordField label="Password" {...state.bind("password")} />
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
      return "Wrong email address or password.";
    case "EMAIL_NOT_VERIFIED":
      return "Verify your address first. We’ve just sent you another link.";
    default:
      return null;
  }
}

/** Signs in with a passkey. Not rendered if the browser does not support them here. */
function PasskeyButton({ onSignedIn }: { readonly onSignedIn: (answer: unknown) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (whyNoPasskeys() !== null) return null;

  const signIn = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await signInWithPasskey();
      if (answer !== null) onSignedIn(answer);
      else setProblem("No passkey was used. Try again, or sign in with your password.");
    } catch (error) {
      setProblem(explainAuthError(error) ?? messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<Icon name="fingerprint" size={18} />}
        onClick={() => void signIn()}
      >
        Sign in with a passkey
      </Button>
      <FormNote color="red">{problem}</FormNote>
    </Stack>
  );
}
