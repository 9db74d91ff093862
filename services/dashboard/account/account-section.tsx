import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface AccountSectionProps {
  readonly title: string;
  readonly text?: string;
  readonly badge?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the account page with its own heading. */
export function AccountSection({ title, text, badge, children }: AccountSectionProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <Stack gap="sm">
        <Box>
          <Group justify="space-between" gap="sm">
            <Title order={2} size="h5" id={heading}>
              {title}
            </Title>
            {badge}
          </Group>
          {text === undefined ? null : (
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </Box>
        {children}
      </Stack>
    </section>
  );
}
