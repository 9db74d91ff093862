import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReportDimension } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS, valueWords } from "#libs/domain/report-words.ts";
import { query } from "../api/client.ts";
import { tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { AddFilter } from "./add-filter.tsx";
import {
  FILTER_KINDS,
  type FilterKind,
  type FilterTest,
  joinValues,
  valuesOf,
} from "./report-filter-search.ts";
import type { GivenSearch, ReportSearch } from "./report-search.ts";

interface ReportFiltersProps {
  readonly search: ReportSearch;
  readonly onChange: (change: GivenSearch) => void;
}

/** The values that a report is narrowed by, each of which can be taken away, and a form that adds one. */
export function ReportFilters({ search, onChange }: ReportFiltersProps) {
  const filters = FILTER_KINDS.flatMap((kind) => valuesOf(kind, search).map((value) => ({ kind, value })));
  const change = ({ key }: FilterKind, values: readonly string[]) => onChange({ [key]: joinValues(values) });
  return (
    <Group gap="xs">
      {filters.length === 0 ? null : (
        <Group gap="xs" component="ul" p={0} m={0} aria-label="Filters" style={{ listStyle: "none" }}>
          {filters.map(({ kind, value }) => (
            <FilterChip
              key={`${kind.key} ${value}`}
              kind={kind}
              value={value}
              onRemove={() =>
                change(
                  kind,
                  valuesOf(kind, search).filter((one) => one !== value),
                )
              }
            />
          ))}
        </Group>
      )}
      <AddFilter onAdd={(kind, value) => change(kind, [...valuesOf(kind, search), value])} />
    </Group>
  );
}

interface FilterChipProps {
  readonly kind: FilterKind;
  readonly value: string;
  readonly onRemove: () => void;
}

function FilterChip({ kind: { dimension, test }, value, onRemove }: FilterChipProps) {
  const name = useName(dimension, value);
  const words = `${DIMENSION_WORDS[dimension]}${CHIP_WORDS[test]} ${test === "contains" ? value : name}`;
  return (
    <li>
      <Button
        variant="light"
        size="compact-md"
        radius="xl"
        fw={500}
        onClick={onRemove}
        aria-label={`${words}, remove`}
        rightSection={<Icon name="x" size={14} />}
      >
        <Text span size="sm" truncate maw={260}>
          {words}
        </Text>
      </Button>
    </li>
  );
}

const CHIP_WORDS: Readonly<Record<FilterTest, string>> = {
  is: ":",
  isNot: " is not",
  contains: " contains",
};

/** The name of a value, its id until it is loaded. */
function useName(dimension: ReportDimension, value: string): string {
  const { id: workspaceId } = useWorkspace();
  const ad = useQuery({
    ...query.ads.get.queryOptions({ input: { workspaceId, adId: value } }),
    enabled: dimension === "ad",
  });
  const advertiser = useQuery({
    ...query.advertisers.get.queryOptions({ input: { workspaceId, advertiserId: value } }),
    enabled: dimension === "advertiser",
  });
  const tiers = useQuery({ ...tiersQuery(workspaceId), enabled: dimension === "tier" });
  switch (dimension) {
    case "ad":
      return ad.data?.name ?? value;
    case "advertiser":
      return advertiser.data?.name ?? value;
    case "tier":
      return tiers.data?.find(({ id }) => id === value)?.name ?? value;
    default:
      return valueWords(dimension, value);
  }
}
