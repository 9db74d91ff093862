import { Stack, Text } from "@mantine/core";
import { PasswordField } from "../sign-in/inputs.tsx";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
import { Dialog } from "./dialog.tsx";
import { explainRefusal } from "./explain-refusal.ts";

interface PasswordDialogProps {
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly send: (password: string) => Promise<void>;
}

/** Asks for the password before an action that a browser left open must not be able to do. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, action, isDangerous = false, onClose, send } = props;
  const state = useSubmission(
    { password: "" },
    { send: ({ password }) => send(password), explain: explainRefusal },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <ShortForm state={state} action={action} button={isDangerous ? { color: "red.9" } : {}}>
          <PasswordField
            label="Your password"
            value={draft.password}
            error={errors.password}
            onChange={(password) => change({ password })}
            autoFocus
          />
        </ShortForm>
      </Stack>
    </Dialog>
  );
}
