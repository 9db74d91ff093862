import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import classes from "./ad-filter-bar.module.css";
import { AD_SORTS, type AdFilters, type AdSort, isFiltered, oneOf, SERVING_CHOICES } from "./ad-filters.ts";
import { allTiersQuery } from "./ad-queries.ts";
import { SearchBox } from "./search-box.tsx";

interface AdFilterBarProps {
  readonly filters: AdFilters;
  readonly onChange: (change: Partial<AdFilters>) => void;
}

const ANY = "";
const SERVING_WORDS = { yes: "Serving", no: "Not serving" } as const;
const SORT_WORDS: Readonly<Record<AdSort, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  tier: "By tier weight",
};

/** What the list of ads is filtered, searched and ordered by. */
export function AdFilterBar({ filters, onChange }: AdFilterBarProps) {
  const { id: workspaceId } = useWorkspace();
  const { data: tiers = [] } = useQuery(allTiersQuery(workspaceId));
  return (
    <search>
      <div className={classes.bar}>
        <div className={classes.search}>
          <SearchBox
            label="Search ads"
            placeholder="Name, website or advertiser"
            value={filters.text}
            onChange={(text) => onChange({ text })}
          />
        </div>
        <Select
          aria-label="Review status"
          allowDeselect={false}
          data={[
            { value: ANY, label: "Any status" },
            ...AD_STATUSES.map((value) => ({ value, label: value })),
          ]}
          value={filters.status ?? ANY}
          onChange={(value) => onChange({ status: oneOf(AD_STATUSES, value) })}
        />
        <Select
          aria-label="Tier"
          allowDeselect={false}
          searchable={tiers.length > 10}
          data={[
            { value: ANY, label: "Any tier" },
            ...tiers.map(({ id, name, isActive }) => ({
              value: id,
              label: isActive ? name : `${name} (archived)`,
            })),
          ]}
          value={filters.tierId ?? ANY}
          onChange={(value) => onChange({ tierId: value === null || value === ANY ? null : value })}
        />
        <Select
          aria-label="Serving"
          allowDeselect={false}
          data={[
            { value: ANY, label: "Serving or not" },
            ...SERVING_CHOICES.map((value) => ({ value, label: SERVING_WORDS[value] })),
          ]}
          value={filters.serving ?? ANY}
          onChange={(value) => onChange({ serving: oneOf(SERVING_CHOICES, value) })}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={AD_SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
          value={filters.sort}
          onChange={(value) => onChange({ sort: oneOf(AD_SORTS, value) ?? "newest" })}
        />
        {isFiltered(filters) ? (
          <Button
            variant="subtle"
            className={classes.clear ?? ""}
            onClick={() => onChange({ status: null, tierId: null, serving: null, text: "" })}
          >
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}
