import { Paper, SimpleGrid, type SimpleGridProps, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Numbers side by side, each a `Figure`. */
export function Figures(props: Omit<SimpleGridProps, "component">) {
  return <SimpleGrid component="dl" m={0} spacing="md" {...props} />;
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
  /** Whether the number has a card of its own. */
  readonly isCard?: boolean;
}

/** One number with its name. */
export function Figure({ name, value, hint, isCard = false }: FigureProps) {
  return (
    <Paper miw={0} {...(isCard ? { withBorder: true, p: "md", className: "figure-card" } : {})}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text
        component="dd"
        m={0}
        fz={isCard ? "clamp(1rem, 12.5cqi, 1.625rem)" : "xl"}
        lh={1.3}
        fw={650}
        className="figures figure"
      >
        {value}
      </Text>
      {hint === undefined ? null : (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Paper>
  );
}
