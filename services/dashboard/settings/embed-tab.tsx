import { Anchor, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { CopyField } from "../components/copy.tsx";
import { EMPTY_PLACEMENT, embedScript, type PlacementDraft, placementTag } from "../components/embed-code.ts";
import { Section } from "../components/section.tsx";

/** The tags that a site needs to show ads. */
export function EmbedTab() {
  const { id } = useWorkspace();
  const [placement, setPlacement] = useState(EMPTY_PLACEMENT);
  const input = (key: keyof PlacementDraft, label: string, placeholder: string) => (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      value={placement[key]}
      onChange={({ currentTarget }) => setPlacement({ ...placement, [key]: currentTarget.value })}
      style={{ flex: "1 1 9rem" }}
    />
  );
  return (
    <Stack gap="lg" maw={760}>
      <Section
        title="Embed tag"
        text="Two lines of HTML put ads on your site: no cookies, nothing else to load. Colors and layout adapt to your style sheet."
      >
        <CopyField
          label="1. Add once per page"
          value={embedScript(location.origin)}
          done="Script tag copied"
        />
        <Group gap="sm" align="flex-end">
          {input("count", "Number of ads", "1")}
          {input("least", "Minimum weight", "any")}
          {input("below", "Below weight", "any")}
        </Group>
        <CopyField
          label="2. Add where the ad should appear"
          value={placementTag(id, placement)}
          rows={2}
          done="Placement tag copied"
        />
        <Anchor href="/demo" target="_blank" rel="noopener" size="sm">
          See an example page with all options (opens in a new tab)
        </Anchor>
      </Section>
      <Section title="Workspace ID" text="Identifies your workspace in the embed tag. Safe to publish.">
        <CopyField label="Workspace ID" value={id} done="Workspace ID copied" />
      </Section>
    </Stack>
  );
}
