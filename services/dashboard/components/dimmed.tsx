import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

/** Secondary text, small unless it has another size. */
export function Dimmed(props: TextProps & { readonly children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />;
}
