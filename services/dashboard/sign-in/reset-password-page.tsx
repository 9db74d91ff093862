import { useLocation, useNavigate } from "@tanstack/react-router";
import { Frame } from "../shell/frame.tsx";
import { ButtonTo, LinkTo } from "../shell/links.tsx";
import { callPeople } from "../shell/people-api.ts";
import { codeOf } from "../shell/problems.ts";
import { PasswordField } from "./inputs.tsx";
import { tokenIn } from "./link-token.ts";
import { checkNewPassword } from "./passwords.ts";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

export function ResetPasswordPage() {
  const token = tokenIn(useLocation().hash);
  if (token !== null) return <NewPassword token={token} />;
  return (
    <Frame title="This link is not whole" text="Open it from the mail again, or ask for a new one.">
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
        await callPeople("POST", "/reset-password", { token, newPassword });
        await navigate({ to: "/sign-in", search: { notice: "reset" }, replace: true });
      },
      explain: (error) =>
        codeOf(error) === "INVALID_TOKEN"
          ? "This link has expired or was used before. Ask for a new one."
          : null,
    },
  );
  const { draft, errors, change } = state;

  return (
    <Frame
      title="Choose a new password"
      text="You will be signed out everywhere else."
      footer={<LinkTo to="/forgot-password">Send a new link</LinkTo>}
    >
      <ShortForm state={state} action="Save the password">
        <PasswordField
          label="New password"
          isNew
          value={draft.newPassword}
          error={errors.newPassword}
          onChange={(newPassword) => change({ newPassword })}
          autoFocus
        />
      </ShortForm>
    </Frame>
  );
}
