import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth } from "../api/auth-api.ts";
import { codeOf } from "../api/problems.ts";
import { checkNewPassword, EmailInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { ButtonTo, LinkTo } from "../components/links.tsx";
import { tokenIn } from "./invitation-token.ts";

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const state = useSubmission(
    { email: "" },
    {
      send: async (draft) => {
        const email = draft.email.trim();
        await callAuth("POST", "/request-password-reset", { email });
        setSentTo(email);
      },
    },
  );
  const footer = <LinkTo to="/sign-in">Back to sign-in</LinkTo>;

  if (sentTo !== null) {
    return (
      <Frame
        title="Check your email"
        text={`If ${sentTo} has an account, we’ve sent a link to reset the password. It expires in one hour.`}
        footer={footer}
      />
    );
  }
  return (
    <Frame title="Forgot your password?" text="We’ll email you a link to reset it." footer={footer}>
      <ShortForm state={state} action="Send link">
        <EmailInput {...state.bind("email")} autoFocus />
      </ShortForm>
    </Frame>
  );
}

export function ResetPasswordPage() {
  const token = tokenIn(useLocation().hash);
  if (token !== null) return <NewPassword token={token} />;
  return (
    <Frame title="This link is incomplete" text="Open it from the email again, or ask for a new one.">
      <ButtonTo to="/forgot-password">Send a new link</ButtonTo>
    </Frame>
  );
}

function NewPassword({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const state = useSubmission(
    { newPassword: "" },
    {
      check: ({ newPassword }) => checkNewPassword("newPassword", newPassword),
      send: async ({ newPassword }) => {
        await callAuth("POST", "/reset-password", { token, newPassword });
        await navigate({ to: "/sign-in", search: { notice: "reset" }, replace: true });
      },
      explain: (error) =>
        codeOf(error) === "INVALID_TOKEN"
          ? "This link has expired or was already used. Ask for a new one."
          : null,
    },
  );

  return (
    <Frame
      title="Choose a new password"
      text="You’ll be signed out everywhere else."
      footer={<LinkTo to="/forgot-password">Send a new link</LinkTo>}
    >
      <ShortForm state={state} action="Save password">
        <PasswordField label="New password" isNew {...state.bind("newPassword")} autoFocus />
      </ShortForm>
    </Frame>
  );
}
