import { Group, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Dimmed } from "./dimmed.tsx";
import classes from "./section.module.css";

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether it is part of a card already and needs no border of its own. */
  readonly isPlain?: boolean;
  /** Whether its heading stands beside its content where there is room, as on a page of settings. */
  readonly isSplit?: boolean;
  /** Default h5 if plain, otherwise h4. */
  readonly size?: "h4" | "h5";
  readonly children: ReactNode;
}

/** A part of a page with its own heading, on a card unless it is plain. */
export function Section(props: SectionProps) {
  const { title, text, actions, isPlain = false, isSplit = false, children } = props;
  const { size = isPlain ? "h5" : "h4" } = props;
  const heading = useId();
  const content = (
    <div className={isSplit ? classes.split : isPlain ? classes.plain : classes.stacked}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: "1 1 12rem" }}>
          <Title order={2} size={size} id={heading}>
            {title}
          </Title>
          {text === undefined ? null : <Dimmed mt={4}>{text}</Dimmed>}
        </div>
        {actions}
      </Group>
      <Stack gap={isPlain ? "sm" : "md"} miw={0}>
        {children}
      </Stack>
    </div>
  );
  return isPlain ? (
    <section aria-labelledby={heading}>{content}</section>
  ) : (
    <Paper component="section" withBorder p={{ base: "md", sm: "lg" }} aria-labelledby={heading}>
      {content}
    </Paper>
  );
}
