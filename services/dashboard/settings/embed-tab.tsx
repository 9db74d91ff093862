import { Anchor, Group, MultiSelect, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AdCard } from "../components/ad-card.tsx";
import { CodeToCopy, CopyField } from "../components/copy.tsx";
import {
  EMPTY_PLACEMENT,
  embedScript,
  type Placement,
  placementAsModule,
  placementInReact,
  placementTag,
  readPlacement,
} from "../components/embed-code.ts";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { readColumn, USUAL_COLUMN, useSample } from "../components/use-placement.ts";

const FORMS = ["HTML", "React", "Module"] as const;
const EMPTY = { ...EMPTY_PLACEMENT, width: String(USUAL_COLUMN) };

/** The tags that a site needs to show ads. */
export function EmbedTab() {
  const { id } = useWorkspace();
  const tiers = useQuery(tiersQuery(id));
  const [typed, setTyped] = useState(EMPTY);
  const [tierIds, setTierIds] = useState<string[]>([]);
  const [form, setForm] = useState<(typeof FORMS)[number]>("HTML");
  const chosen = readPlacement(typed);
  const width = readColumn(typed.width);
  const { ads, imageSize, minHeight } = useSample(id, chosen.count, width);
  const placement: Placement = { tierIds, ...chosen, imageSize, minHeight };

  const input = (key: keyof typeof EMPTY, label: string, placeholder: string) => (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      value={typed[key]}
      onChange={({ currentTarget }) => setTyped({ ...typed, [key]: currentTarget.value })}
      style={{ flex: "1 1 9rem" }}
    />
  );
  return (
    <Stack gap="lg">
      <Section
        isSplit
        title="Embed tag"
        text="Two lines of HTML put ads on your site: no cookies, nothing else to load. Colors and layout adapt to your style sheet."
      >
        <MultiSelect
          label="Tiers"
          description="Only ads of these tiers appear here. Leave it empty for all tiers."
          placeholder={tierIds.length === 0 ? "All tiers" : ""}
          data={(tiers.data ?? []).map((tier) => ({
            value: tier.id,
            label: tier.isActive ? tier.name : `${tier.name} (archived)`,
          }))}
          value={tierIds}
          onChange={setTierIds}
          clearable
          clearButtonProps={{ "aria-label": "All tiers" }}
        />
        <Group gap="sm" align="flex-end">
          {input("count", "Number of ads", "1")}
          {input("width", "Width of your column (px)", String(USUAL_COLUMN))}
          {input("least", "Minimum weight", "any")}
          {input("below", "Below weight", "any")}
        </Group>
        <SegmentedControl
          aria-label="Code for"
          data={[...FORMS]}
          value={form}
          onChange={(value) => setForm(oneOf(FORMS, value) ?? "HTML")}
        />
        {form === "HTML" ? (
          <>
            <CopyField
              label="1. Add once per page"
              value={embedScript(location.origin)}
              done="Script tag copied"
            />
            <CopyField
              label="2. Add where the ad should appear"
              description={`Reserves ${minHeight} px so your page doesn’t jump when the ad loads.`}
              value={placementTag(id, placement)}
              rows={4}
              done="Placement tag copied"
            />
          </>
        ) : (
          <CodeToCopy
            code={
              form === "React"
                ? placementInReact(location.origin, id, placement)
                : placementAsModule(location.origin, id, placement)
            }
            label={`${form} code`}
            action="Copy code"
          />
        )}
        <Text size="sm">
          For newsletters, feeds and README files, copy the link on the approved ad’s page. It needs no
          script.
        </Text>
        <Anchor href="/demo" target="_blank" rel="noopener" size="sm">
          See an example page with all options (opens in a new tab)
        </Anchor>
      </Section>
      <Section
        isSplit
        title="Preview"
        text="A sample ad with your fields, as your site shows it in this column."
      >
        <div style={{ width, maxWidth: "100%" }}>
          <AdCard ads={ads} imageSize={imageSize} />
        </div>
      </Section>
      <Section
        isSplit
        title="Workspace ID"
        text="Identifies your workspace in the embed tag. Safe to publish."
      >
        <CopyField label="Workspace ID" value={id} done="Workspace ID copied" />
      </Section>
    </Stack>
  );
}
