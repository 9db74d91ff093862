import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  /** What stands below the number. */
  readonly note?: ReactNode;
}

/** One number on a card of its own; belongs into a `dl`. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <Paper withBorder p="md">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={26} lh={1.3} fw={650} className="figures">
        {value}
      </Text>
      {note === undefined ? null : (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
