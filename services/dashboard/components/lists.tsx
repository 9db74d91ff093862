import { Box, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Dimmed } from "./dimmed.tsx";
import classes from "./lists.module.css";

/** Names and their values, line by line, each a `Fact`. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="dl" className={classes.facts}>
      {children}
    </Box>
  );
}

export function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm">
        {children}
      </Text>
    </div>
  );
}

/** A list in a card, with lines between its items. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly detail: string;
  readonly children: ReactNode;
}

/** An item of `Rows`. */
export function Row({ title, badge, detail, children }: RowProps) {
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: "1 1 14rem", minWidth: 0, overflowWrap: "anywhere" }}>
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          {badge}
        </Group>
        <Dimmed style={{ whiteSpace: "pre-line" }}>{detail}</Dimmed>
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
