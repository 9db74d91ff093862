import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DIMENSION_NAMES, type ReportDimension } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS, valueWords } from "#libs/domain/report-words.ts";
import { query } from "../api/client.ts";
import { tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { type GivenSearch, joinValues, type ReportSearch, valuesOf } from "./report-search.ts";

interface ReportFiltersProps {
  readonly search: ReportSearch;
  readonly onChange: (change: GivenSearch) => void;
}

/** The values that a report is narrowed to; each can be taken away. */
export function ReportFilters({ search, onChange }: ReportFiltersProps) {
  const filters = DIMENSION_NAMES.flatMap((dimension) =>
    valuesOf(dimension, search[dimension]).map((value) => ({ dimension, value })),
  );
  if (filters.length === 0) return null;
  return (
    <Group gap="xs" component="ul" p={0} m={0} aria-label="Filters" style={{ listStyle: "none" }}>
      {filters.map(({ dimension, value }) => {
        const rest = valuesOf(dimension, search[dimension]).filter((one) => one !== value);
        return (
          <FilterChip
            key={`${dimension} ${value}`}
            dimension={dimension}
            value={value}
            onRemove={() => onChange({ [dimension]: joinValues(rest) })}
          />
        );
      })}
    </Group>
  );
}

interface FilterChipProps {
  readonly dimension: ReportDimension;
  readonly value: string;
  readonly onRemove: () => void;
}

function FilterChip({ dimension, value, onRemove }: FilterChipProps) {
  const name = useName(dimension, value);
  const words = `${DIMENSION_WORDS[dimension]}: ${name}`;
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
