import { Text } from "@mantine/core";
import { Dialog } from "../components/dialog.tsx";
import { PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";

interface PasswordDialogProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly send: (password: string) => Promise<void>;
}

/** Asks for the password before an action that a browser left open must not allow. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, action, isDangerous = false, onClose, send } = props;
  const state = useSubmission({ password: "" }, { send: ({ password }) => send(password) });
  return (
    <Dialog title={title} onClose={onClose}>
      <Text size="sm">{text}</Text>
      <ShortForm state={state} action={action} button={isDangerous ? { color: "red.9" } : {}}>
        <PasswordField label="Your password" {...state.bind("password")} autoFocus />
      </ShortForm>
    </Dialog>
  );
}
