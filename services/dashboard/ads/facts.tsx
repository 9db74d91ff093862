import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** Names and what is known of them, line by line. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="dl" className={classes.facts}>
      {children}
    </Box>
  );
}

interface FactProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

/** One of them. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" className={classes.value}>
        {children}
      </Text>
    </div>
  );
}
