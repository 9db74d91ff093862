import { notifyDone } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { codeOf } from "../shell/problems.ts";
import { usePerson } from "../shell/session.ts";
import { PasswordField } from "./inputs.tsx";
import { checkNewPassword } from "./passwords.ts";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

const EMPTY = { currentPassword: "", newPassword: "" };

/** Changes the password of the signed-in person, whose other sessions end with it. */
export function PasswordForm() {
  const { email } = usePerson();
  const state = useSubmission(EMPTY, {
    check: ({ newPassword }) => checkNewPassword("newPassword", newPassword),
    send: async (passwords) => {
      await callPeople("POST", "/change-password", passwords);
      state.restart(EMPTY);
      notifyDone("Password changed. You are signed out everywhere else.");
    },
    explain: (error) => (codeOf(error) === "INVALID_PASSWORD" ? "The current password is wrong." : null),
  });
  const { draft, errors, change } = state;
  return (
    <ShortForm state={state} action="Change password" button={{ variant: "default", w: "fit-content" }}>
      {/* For password managers, which have to know whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        value={draft.currentPassword}
        error={errors.currentPassword}
        onChange={(currentPassword) => change({ currentPassword })}
      />
      <PasswordField
        label="New password"
        isNew
        value={draft.newPassword}
        error={errors.newPassword}
        onChange={(newPassword) => change({ newPassword })}
      />
    </ShortForm>
  );
}
