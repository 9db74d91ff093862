import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A card of a page with its own heading. */
export function Section({ title, text, actions, children }: SectionProps) {
  const heading = useId();
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div style={{ flex: "1 1 16rem" }}>
            <Title order={2} size="h4" id={heading}>
              {title}
            </Title>
            {text === undefined ? null : (
              <Text size="sm" c="dimmed" mt={4}>
                {text}
              </Text>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
