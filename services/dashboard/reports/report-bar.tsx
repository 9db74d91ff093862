import { Checkbox, Chip, Group, Paper, Select, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { MOST_DAYS_BY_HOUR } from "#libs/domain/report-buckets.ts";
import { COMPARISONS, type Compare } from "#libs/domain/report-comparison.ts";
import { DIMENSION_NAMES, MOST_DIMENSIONS } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS } from "#libs/domain/report-words.ts";
import classes from "../components/lists.module.css";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { type Dates, PRESET_WORDS, PRESETS, USUAL_COMPARISON, USUAL_PRESET } from "./report-periods.ts";
import { daysOf, type GivenSearch, type ReportSearch, STEPS, splitOf, stepOf } from "./report-search.ts";
import { STEP_WORDS } from "./report-words.ts";
import own from "./reports.module.css";

interface ReportBarProps {
  readonly search: ReportSearch;
  readonly dates: Dates;
  /** The time zone of the workspace. */
  readonly usualZone: string;
  readonly onChange: (change: GivenSearch) => void;
}

const COMPARE_WORDS: Readonly<Record<Compare, string>> = {
  previous: "The period before",
  year: "A year earlier",
  none: "Nothing",
};

/** What a report is asked: period, time zone, splits, comparison. */
export function ReportBar({ search, dates, usualZone, onChange }: ReportBarProps) {
  const split = splitOf(search.split);
  const compare = search.compare ?? USUAL_COMPARISON;
  const preset = search.from === undefined ? (search.period ?? USUAL_PRESET) : null;
  const day = (name: keyof Dates, label: string) => (
    <TextInput
      type="date"
      label={label}
      value={dates[name]}
      // An input that is being typed into is blank until it is a date.
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== "") onChange({ ...dates, [name]: currentTarget.value });
      }}
    />
  );
  return (
    <Paper component="search" withBorder p={{ base: "md", sm: "lg" }}>
      <Stack gap="md">
        <Choices label="Period">
          <Chip.Group
            value={preset}
            onChange={(period) => onChange({ period, from: undefined, to: undefined })}
          >
            {PRESETS.map((one) => (
              <Chip key={one} value={one} size="sm" variant="light">
                {PRESET_WORDS[one]}
              </Chip>
            ))}
          </Chip.Group>
        </Choices>
        <div className={classes.bar}>
          {day("from", "From")}
          {day("to", "To")}
          <TimeZoneSelect
            label="Time zone"
            value={search.zone ?? null}
            usual={`Workspace default (${usualZone})`}
            onChange={(zone) => onChange({ zone: zone ?? "" })}
          />
          <Select
            label="By"
            allowDeselect={false}
            data={STEPS.map((value) => ({
              value,
              label: STEP_WORDS[value],
              disabled: value === "hour" && daysOf(dates) > MOST_DAYS_BY_HOUR,
            }))}
            value={stepOf(search, dates)}
            onChange={(by) => onChange({ by })}
          />
          <Select
            label="Compare with"
            allowDeselect={false}
            data={COMPARISONS.map((value) => ({ value, label: COMPARE_WORDS[value] }))}
            value={compare}
            onChange={(chosen) => onChange({ compare: chosen })}
          />
        </div>
        <Group justify="space-between" gap="md">
          <Choices label="Split by">
            <Chip.Group
              multiple
              value={split}
              onChange={(chosen) => onChange({ split: chosen.join(","), sort: search.sort })}
            >
              {DIMENSION_NAMES.map((dimension) => (
                <Chip
                  key={dimension}
                  value={dimension}
                  size="sm"
                  variant="light"
                  disabled={split.length >= MOST_DIMENSIONS && !split.includes(dimension)}
                >
                  {DIMENSION_WORDS[dimension]}
                </Chip>
              ))}
            </Chip.Group>
          </Choices>
          {compare === "none" ? null : (
            <Checkbox
              label="Compare same weekdays"
              checked={search.weekdays === "same"}
              onChange={({ currentTarget }) => onChange({ weekdays: currentTarget.checked ? "same" : "" })}
            />
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function Choices({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not wrap its chips */}
      <div role="group" aria-labelledby={id} className={own.choices}>
        {children}
      </div>
    </div>
  );
}
