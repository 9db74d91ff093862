import { TextInput } from "@mantine/core";

interface DeviceNameInputProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Where somebody names the device that a passkey is on, to recognise it in the list. */
export function DeviceNameInput({ value, error, onChange }: DeviceNameInputProps) {
  return (
    <TextInput
      label="Name of the device"
      placeholder="Such as “Work laptop”"
      required
      withAsterisk={false}
      maxLength={80}
      autoFocus
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
