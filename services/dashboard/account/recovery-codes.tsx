import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { CodeToCopy } from "../shell/code-to-copy.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows recovery codes, the only time that they can be seen. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Stack gap="md">
      <Alert
        color="yellow"
        icon={<IconAlertTriangle />}
        title="Keep these recovery codes"
        // Yellow on yellow cannot be read.
        styles={{ title: { color: "var(--mantine-color-text)" } }}
      >
        This is the only time they are shown. Each one signs you in once if you lose your authenticator.
      </Alert>
      <CodeToCopy code={codes.join("\n")} label="Recovery codes" action="Copy codes" />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
