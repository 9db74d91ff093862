import { useState } from "react";
import { Frame } from "../shell/frame.tsx";
import { LinkTo } from "../shell/links.tsx";
import { callPeople } from "../shell/people-api.ts";
import { EmailInput } from "./inputs.tsx";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

export function ForgotPasswordPage() {
  const [writtenTo, setWrittenTo] = useState<string | null>(null);
  const state = useSubmission(
    { email: "" },
    {
      send: async (draft) => {
        const email = draft.email.trim();
        await callPeople("POST", "/request-password-reset", { email });
        setWrittenTo(email);
      },
    },
  );
  const { draft, errors, change } = state;
  const footer = <LinkTo to="/sign-in">Back to sign-in</LinkTo>;

  if (writtenTo !== null) {
    return (
      <Frame
        title="Check your mail"
        text={`If ${writtenTo} has an account, a link to choose a new password is on its way. It is good for an hour.`}
        footer={footer}
      />
    );
  }
  return (
    <Frame title="Forgot your password?" text="We send you a link to choose a new one." footer={footer}>
      <ShortForm state={state} action="Send the link">
        <EmailInput
          value={draft.email}
          error={errors.email}
          onChange={(email) => change({ email })}
          autoFocus
        />
      </ShortForm>
    </Frame>
  );
}
