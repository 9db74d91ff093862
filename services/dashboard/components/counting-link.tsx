import { Anchor } from "@mantine/core";

/** Leads to the rules by which impressions and clicks are counted. */
export function CountingLink() {
  return (
    <Anchor href="/v1/docs/counting" target="_blank" rel="noopener" size="sm" underline="always">
      How this is counted
    </Anchor>
  );
}
