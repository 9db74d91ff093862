import { Anchor, Group } from "@mantine/core";
import { useState } from "react";
import { callAuth } from "../api/auth-api.ts";
import { CodeInput } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";

interface SecondStepProps {
  readonly onSignedIn: (answer: unknown) => void;
  readonly onBack: () => void;
}

/** Asks for an authenticator or recovery code after the password. */
export function SecondStep({ onSignedIn, onBack }: SecondStepProps) {
  const [isRecovery, setRecovery] = useState(false);
  const state = useSubmission(
    { code: "" },
    {
      send: async ({ code }) => {
        const path = isRecovery ? "/two-factor/verify-backup-code" : "/two-factor/verify-totp";
        onSignedIn(await callAuth("POST", path, { code }));
      },
    },
  );
  const switchKind = () => {
    setRecovery(!isRecovery);
    state.restart({ code: "" });
  };
  return (
    <Frame
      title="Enter your code"
      text={
        isRecovery
          ? "Enter one of the recovery codes you saved. Each works once. If you have none left, ask whoever runs this installation to switch two-factor sign-in off."
          : "Enter the code your authenticator shows for Placard."
      }
    >
      <ShortForm state={state} action="Sign in">
        <CodeInput
          key={isRecovery ? "recovery" : "code"}
          label={isRecovery ? "Recovery code" : "Six-digit code"}
          isRecovery={isRecovery}
          {...state.bind("code")}
        />
      </ShortForm>
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={switchKind}>
          {isRecovery ? "Use your authenticator" : "Use a recovery code"}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Back to sign-in
        </Anchor>
      </Group>
    </Frame>
  );
}
