import { PasswordInput, TextInput, type TextInputProps } from "@mantine/core";
import { LONGEST, SHORTEST } from "#libs/domain/limits.ts";
import type { DraftErrors, TextBinding } from "./use-draft.ts";

interface InputProps extends TextBinding {
  readonly label?: string;
  /** For the first input of a page that has no other purpose. */
  readonly autoFocus?: boolean;
}

/** Always required, without an asterisk: these forms have nothing optional. */
function RequiredText(props: TextInputProps) {
  return <TextInput required withAsterisk={false} {...props} />;
}

export function NameInput(props: InputProps) {
  return <RequiredText label="Name" autoComplete="name" maxLength={LONGEST.name} {...props} />;
}

export function EmailInput(props: InputProps) {
  return <RequiredText label="Email" type="email" autoComplete="username" {...props} />;
}

/** The name of the device that a passkey is on, to recognize it in the list. */
export function DeviceNameInput(props: InputProps) {
  return (
    <RequiredText
      label="Device name"
      placeholder="Such as “Work laptop”"
      maxLength={LONGEST.name}
      autoFocus
      {...props}
    />
  );
}

interface PasswordProps extends InputProps {
  /** A new password has to be long enough, and password managers offer to generate it. */
  readonly isNew?: boolean;
}

/** A password, which a button shows. */
export function PasswordField({ isNew = false, ...props }: PasswordProps) {
  return (
    <PasswordInput
      label="Your password"
      {...(isNew
        ? { description: `At least ${SHORTEST.password} characters`, maxLength: LONGEST.password }
        : {})}
      autoComplete={isNew ? "new-password" : "current-password"}
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      {...props}
    />
  );
}

/** What is wrong with a new password, at the input of that name; empty for a good one. */
export function checkNewPassword(key: string, password: string): DraftErrors {
  return password.length < SHORTEST.password
    ? { [key]: `Use at least ${SHORTEST.password} characters.` }
    : {};
}

interface CodeProps extends InputProps {
  /** Whether it is a recovery code, which has letters. */
  readonly isRecovery?: boolean;
}

/** A sign-in code. Authenticators show theirs with a space in the middle, which is left out. */
export function CodeInput({ isRecovery = false, onChange, ...props }: CodeProps) {
  return (
    <RequiredText
      autoFocus
      autoComplete={isRecovery ? "off" : "one-time-code"}
      inputMode={isRecovery ? "text" : "numeric"}
      spellCheck={false}
      onChange={({ currentTarget }) =>
        onChange({ currentTarget: { value: currentTarget.value.replaceAll(" ", "") } })
      }
      {...props}
    />
  );
}
