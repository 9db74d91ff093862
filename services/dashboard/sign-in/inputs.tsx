import { PasswordInput, TextInput } from "@mantine/core";

interface InputProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  /** For the first input of a page that is there for nothing else. */
  readonly autoFocus?: boolean;
}

/** Where somebody says what they are called. */
export function NameInput({ value, error, onChange, autoFocus = false }: InputProps) {
  return (
    <TextInput
      label="Name"
      autoComplete="name"
      required
      withAsterisk={false}
      maxLength={80}
      autoFocus={autoFocus}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface EmailProps extends InputProps {
  /** Default "E-mail". */
  readonly label?: string;
}

/** Where somebody gives the address that they sign in with. */
export function EmailInput({ value, error, onChange, autoFocus = false, label = "E-mail" }: EmailProps) {
  return (
    <TextInput
      label={label}
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface PasswordProps extends InputProps {
  readonly label: string;
  /** A new one has to be long enough, and password managers offer to make it. */
  readonly isNew?: boolean;
}

/** Where somebody types a password, which a button shows. */
export function PasswordField(props: PasswordProps) {
  const { label, value, error, onChange, autoFocus = false, isNew = false } = props;
  return (
    <PasswordInput
      label={label}
      {...(isNew ? { description: "At least 8 characters", maxLength: 128 } : {})}
      autoComplete={isNew ? "new-password" : "current-password"}
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
