import { TextInput } from "@mantine/core";

interface CodeInputProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  /** Whether it is a recovery code, which has letters. */
  readonly isRecovery?: boolean;
}

/** Where somebody types a code. Authenticators show theirs with a space in the middle, which is left out. */
export function CodeInput({ label, value, error, onChange, isRecovery = false }: CodeInputProps) {
  return (
    <TextInput
      label={label}
      required
      withAsterisk={false}
      autoFocus
      autoComplete={isRecovery ? "off" : "one-time-code"}
      inputMode={isRecovery ? "text" : "numeric"}
      spellCheck={false}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll(" ", ""))}
    />
  );
}
