import { Anchor, Group } from "@mantine/core";
import { useState } from "react";
import { CodeInput } from "../account/code-input.tsx";
import { explainRefusal } from "../account/explain-refusal.ts";
import { Frame } from "../shell/frame.tsx";
import { callPeople } from "../shell/people-api.ts";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

interface SecondStepProps {
  /** Takes the answer that begins the session. */
  readonly onSignedIn: (answer: unknown) => void;
  readonly onBack: () => void;
}

/** Asks for a code of the authenticator, or for a recovery code, after the password. */
export function SecondStep({ onSignedIn, onBack }: SecondStepProps) {
  const [isRecovery, setRecovery] = useState(false);
  const state = useSubmission(
    { code: "" },
    {
      send: async ({ code }) => {
        const path = isRecovery ? "/two-factor/verify-backup-code" : "/two-factor/verify-totp";
        onSignedIn(await callPeople("POST", path, { code }));
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change, restart } = state;
  const switchKind = () => {
    setRecovery(!isRecovery);
    restart({ code: "" });
  };
  return (
    <Frame
      title="Enter your code"
      text={
        isRecovery
          ? "Enter one of the recovery codes that you kept. Each works once."
          : "Enter the code that your authenticator shows for Placard."
      }
    >
      <ShortForm state={state} action="Sign in">
        <CodeInput
          key={isRecovery ? "recovery" : "code"}
          label={isRecovery ? "Recovery code" : "Six-digit code"}
          isRecovery={isRecovery}
          value={draft.code}
          error={errors.code}
          onChange={(code) => change({ code })}
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

/** Whether an answer to a password asks for a second factor. */
export function asksForCode(answer: unknown): boolean {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "twoFactorRedirect" in answer &&
    answer.twoFactorRedirect === true
  );
}
