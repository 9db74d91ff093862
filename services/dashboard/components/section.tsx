import { Group, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Dimmed } from "./dimmed.tsx";

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether it is part of a card already and needs no border of its own. */
  readonly isPlain?: boolean;
  /** Default h5 if plain, otherwise h4. */
  readonly size?: "h4" | "h5";
  readonly children: ReactNode;
}

/** A part of a page with its own heading, on a card unless it is plain. */
export function Section(props: SectionProps) {
  const { title, text, actions, isPlain = false, size = isPlain ? "h5" : "h4", children } = props;
  const heading = useId();
  const content = (
    <Stack gap={isPlain ? "sm" : "md"}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: "1 1 12rem" }}>
          <Title order={2} size={size} id={heading}>
            {title}
          </Title>
          {text === undefined ? null : <Dimmed mt={4}>{text}</Dimmed>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
  return isPlain ? (
    <section aria-labelledby={heading}>{content}</section>
  ) : (
    <Paper component="section" withBorder p={{ base: "md", sm: "lg" }} aria-labelledby={heading}>
      {content}
    </Paper>
  );
}
