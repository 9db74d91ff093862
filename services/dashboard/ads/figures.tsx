import { SimpleGrid, Stack, Text } from "@mantine/core";

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What to know about it. */
  readonly hint?: string;
}

/** Totals side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <SimpleGrid
      component="dl"
      m={0}
      cols={{ base: figures.length % 2 === 0 ? 2 : figures.length, md: figures.length }}
      spacing="md"
    >
      {figures.map(({ name, value, hint }) => (
        <Stack key={name} gap={0} miw={0}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="xl" fw={650} style={{ fontVariantNumeric: "tabular-nums" }}>
            {value}
            {hint === undefined ? null : (
              <Text component="span" display="block" size="xs" fw={400} c="dimmed">
                {hint}
              </Text>
            )}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
