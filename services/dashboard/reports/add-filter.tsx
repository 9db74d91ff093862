import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import {
  DIMENSION_NAMES,
  LONGEST_FILTER_VALUE,
  REPORT_DIMENSIONS,
  type ReportDimension,
} from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS, valueWords } from "#libs/domain/report-words.ts";
import { tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import classes from "../components/lists.module.css";
import { oneOf } from "../components/search.ts";
import { FILTER_KINDS, type FilterKind, type FilterTest, isValue } from "./report-filter-search.ts";

const TEST_WORDS: Readonly<Record<FilterTest, string>> = {
  is: "is",
  isNot: "is not",
  contains: "contains",
};
const TESTS = ["is", "isNot", "contains"] as const;

/** There may be very many ads and advertisers: their own pages lead to their reports. */
const CHOSEN = DIMENSION_NAMES.filter((dimension) => dimension !== "ad" && dimension !== "advertiser");

interface AddFilterProps {
  readonly onAdd: (kind: FilterKind, value: string) => void;
}

/** A form for one more value that a report is narrowed by. */
export function AddFilter({ onAdd }: AddFilterProps) {
  const [dimension, setDimension] = useState<ReportDimension | null>(null);
  const [test, setTest] = useState<FilterTest>("is");
  const [value, setValue] = useState("");
  if (dimension === null) {
    return (
      <Button
        variant="default"
        size="compact-md"
        radius="xl"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setDimension("country")}
      >
        Add filter
      </Button>
    );
  }
  const kinds = FILTER_KINDS.filter((kind) => kind.dimension === dimension);
  const kind = kinds.find((one) => one.test === test) ?? kinds[0];
  const given = dimension === "country" ? value.trim().toUpperCase() : value.trim();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (kind === undefined || !isValue(dimension, given)) return;
    onAdd(kind, given);
    setValue("");
    setDimension(null);
  };
  return (
    <form
      className={classes.bar}
      aria-label="Add filter"
      onSubmit={add}
      style={{ alignItems: "end", flex: "1 0 100%" }}
    >
      <NativeSelect
        label="Filter by"
        data={CHOSEN.map((one) => ({ value: one, label: DIMENSION_WORDS[one] }))}
        value={dimension}
        onChange={({ currentTarget }) => {
          setDimension(oneOf(CHOSEN, currentTarget.value));
          setTest("is");
          setValue("");
        }}
      />
      <NativeSelect
        label="Condition"
        data={kinds.map((one) => ({ value: one.test, label: TEST_WORDS[one.test] }))}
        value={kind?.test ?? "is"}
        onChange={({ currentTarget }) => setTest(oneOf(TESTS, currentTarget.value) ?? "is")}
      />
      <ValueInput dimension={dimension} value={value} onChange={setValue} />
      <Group gap="xs">
        <Button type="submit" variant="default" disabled={!isValue(dimension, given)}>
          Add
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setDimension(null)}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

interface ValueInputProps {
  readonly dimension: ReportDimension;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueInput({ dimension, value, onChange }: ValueInputProps) {
  const { id: workspaceId } = useWorkspace();
  const tiers = useQuery({ ...tiersQuery(workspaceId), enabled: dimension === "tier" });
  const about = REPORT_DIMENSIONS[dimension];
  if (about.form === "text") {
    return (
      <TextInput
        label="Value"
        placeholder={about.example}
        maxLength={LONGEST_FILTER_VALUE}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const options =
    about.form === "listed"
      ? about.values.map((one) => ({ value: one, label: valueWords(dimension, one) }))
      : (tiers.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <NativeSelect
      label="Value"
      data={[{ value: "", label: "Choose" }, ...options]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
