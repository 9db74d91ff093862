import { Button, Code, Group, Stack } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { copyText } from "../editing/copy-text.ts";

interface CodeToCopyProps {
  readonly code: string;
  /** What the code is, for those who do not see it: "Embed tag". */
  readonly label: string;
  /** What the button says: "Copy tag". */
  readonly action: string;
}

/** Code to be pasted somewhere else, with a button that copies it. */
export function CodeToCopy({ code, label, action }: CodeToCopyProps) {
  return (
    <Stack gap="xs">
      {/* It scrolls sideways where it is too long, which the keyboard can do as well. */}
      <Code block tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <Group>
        <Button
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(code, "Copied")}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
