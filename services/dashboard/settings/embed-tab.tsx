import { Anchor, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../editing/copy-field.tsx";
import { Section } from "../editing/section.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { EMPTY_PLACEMENT, embedScript, type PlacementDraft, placementTag } from "./embed-code.ts";

/** What a site needs to show ads. */
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
        text="Two lines of HTML put ads on your site: no cookies, nothing else to load. Colors and layout follow your own style sheet."
      >
        <CopyField
          label="1. Once in every page with a placement"
          value={embedScript(location.origin)}
          done="Script tag copied"
        />
        <Group gap="sm" align="flex-end">
          {input("count", "Ads in the placement", "1")}
          {input("least", "Weight from", "any")}
          {input("below", "Weight below", "any")}
        </Group>
        <CopyField
          label="2. Where the ads are to be"
          value={placementTag(id, placement)}
          rows={2}
          done="Placement tag copied"
        />
        <Anchor href="/demo" target="_blank" rel="noopener" size="sm">
          See an example page with all options (opens in a new tab)
        </Anchor>
      </Section>
      <Section title="Workspace id" text="Your site names the workspace by it. It is no secret.">
        <CopyField label="Workspace id" value={id} done="Workspace id copied" />
      </Section>
    </Stack>
  );
}
