import { Card, Group, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  /** Switches and buttons of this part alone. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, with a heading that names it. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} withBorder padding="lg">
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Card>
  );
}
