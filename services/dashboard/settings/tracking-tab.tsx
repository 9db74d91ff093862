import { Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { useMay } from "../api/workspace.ts";
import { formatCount } from "../components/format.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { checkLimits, draftOfLimits, LIMIT_MODES, type LimitDraft, type LimitMode } from "./limits-draft.ts";
import { SettingSwitch, useSettings, useSettingsForm } from "./setting-switch.tsx";
import { UtmCard } from "./utm-card.tsx";

/** What counts as an impression or a click, and what links without script add to an address. */
export function TrackingTab() {
  const settings = useSettings();
  return (
    <QueryView query={settings}>
      {(found) => (
        <Stack gap="lg">
          <LimitsCard settings={found} />
          <UtmCard settings={found} />
          {RULES.map(({ rule, title, text, label, description }) => (
            <Section key={rule} isSplit title={title} text={text}>
              <SettingSwitch
                label={label}
                description={description}
                isOn={found[rule]}
                changeTo={(isOn) => ({ [rule]: isOn })}
              />
            </Section>
          ))}
        </Stack>
      )}
    </QueryView>
  );
}

const RULES = [
  {
    rule: "requireProof",
    title: "Proof",
    text: "The embed tag, the module and the React component send proof that the ad was just served. Forged events have no proof.",
    label: "Count only events with proof",
    description:
      "Events without proof don’t count. This includes newsletter and feed links, pages left open until the proof has expired (usually after 15 minutes), and your own code until it sends proof.",
  },
  {
    rule: "recordPages",
    title: "Pages",
    text: "Reports can show which pages and referring sites bring views and clicks. Only the page’s path and the site’s name are kept.",
    label: "Record pages and referrers",
    description: "Turned off, new events keep neither. What was recorded before stays in reports.",
  },
  {
    rule: "countVisitors",
    title: "Visitors",
    text: "A visitor’s address and browser become a hash that lasts a day, by which different visitors are counted. Neither is kept.",
    label: "Count visitors",
    description:
      "Turned off, new events keep no hash, and figures of different visitors leave them out. A double click still counts once.",
  },
] as const;

interface LimitsProps {
  readonly settings: WorkspaceSettings;
}

function LimitsCard({ settings }: LimitsProps) {
  const mayChange = useMay("Owner");
  return (
    <Section
      isSplit
      title="Tracking limits"
      text="The most impressions and clicks that count per ad, IP address and minute."
    >
      {mayChange ? (
        <LimitsForm settings={settings} />
      ) : (
        <Facts>
          {LIMITS.map(({ name, label }) => (
            <Fact key={name} name={label}>
              {limitWords(settings.limitsInEffect[name])}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}

const LIMITS = [
  { name: "impressionsPerMinute", label: "Impressions" },
  { name: "clicksPerMinute", label: "Clicks" },
] as const;

function LimitsForm({ settings }: LimitsProps) {
  const { limits, limitsInEffect } = settings;
  const state = useSettingsForm(settings, ({ limits: saved }) => draftOfLimits(saved), {
    check: checkLimits,
    done: "Limits saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Tracking limits" action="Save" isDisabled={!state.isDirty}>
      {LIMITS.map(({ name, label }) => (
        <LimitInput
          key={name}
          label={label}
          limit={draft.limits[name]}
          saved={limits[name]}
          inEffect={limitsInEffect[name]}
          error={errors[`limits.${name}`]}
          onChange={(limit) => change({ limits: { ...draft.limits, [name]: limit } })}
        />
      ))}
    </DraftForm>
  );
}

interface LimitInputProps {
  readonly label: string;
  readonly limit: LimitDraft;
  /** The saved limit of the workspace; null for the installation's default. */
  readonly saved: number | null;
  /** The limit in effect; 0 is no limit. */
  readonly inEffect: number;
  readonly error: string | undefined;
  readonly onChange: (limit: LimitDraft) => void;
}

function LimitInput({ label, limit, saved, inEffect, error, onChange }: LimitInputProps) {
  const words: Readonly<Record<LimitMode, string>> = {
    usual: saved === null ? `Default (${limitWords(inEffect)})` : "Default",
    own: "Custom",
    off: "No limit",
  };
  return (
    <Group gap="sm" align="flex-start">
      <NativeSelect
        label={label}
        data={LIMIT_MODES.map((mode) => ({ value: mode, label: words[mode] }))}
        value={limit.mode}
        onChange={({ currentTarget }) => {
          const mode = oneOf(LIMIT_MODES, currentTarget.value);
          if (mode !== null) onChange({ ...limit, mode });
        }}
        style={{ flex: "1 1 14rem" }}
      />
      {limit.mode === "own" ? (
        <TextInput
          label={`${label} per minute`}
          inputMode="numeric"
          autoComplete="off"
          value={limit.own}
          error={error}
          onChange={({ currentTarget }) => onChange({ ...limit, own: currentTarget.value })}
          style={{ flex: "1 1 10rem" }}
        />
      ) : null}
    </Group>
  );
}

function limitWords(perMinute: number): string {
  return perMinute === 0 ? "no limit" : `${formatCount(perMinute)} per minute`;
}
