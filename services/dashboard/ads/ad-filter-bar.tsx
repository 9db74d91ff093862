import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { AD_ORDERS, type AdOrder } from "#libs/domain/list-orders.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SearchBox } from "../components/search-box.tsx";
import { SubscriptionSelect } from "../components/subscription-select.tsx";
import { type AdFilters, type AdSearch, isFiltered, NO_FILTERS, SERVING_CHOICES } from "./ad-filters.ts";
import classes from "./ads.module.css";

interface AdFilterBarProps {
  readonly filters: AdFilters;
  readonly onChange: (change: AdSearch) => void;
}

const ANY = "";
const SERVING_WORDS = { yes: "Live", no: "Not live" } as const;
const SORT_WORDS: Readonly<Record<AdOrder, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  tier: "By tier weight",
  impressions: "Most impressions",
  clicks: "Most clicks",
  ctr: "Highest CTR",
};

/** The search, filters and order of the list of ads. */
export function AdFilterBar({ filters, onChange }: AdFilterBarProps) {
  const { id: workspaceId } = useWorkspace();
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  return (
    <search>
      <div className={classes.bar}>
        <div className={classes.search}>
          <SearchBox
            label="Search ads"
            placeholder="Name, website or advertiser"
            value={filters.q ?? ""}
            onChange={(q) => onChange({ q })}
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
          onChange={(status) => onChange({ status })}
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
          value={filters.tier ?? ANY}
          onChange={(tier) => onChange({ tier })}
        />
        <Select
          aria-label="Live"
          allowDeselect={false}
          data={[
            { value: ANY, label: "Live or not" },
            ...SERVING_CHOICES.map((value) => ({ value, label: SERVING_WORDS[value] })),
          ]}
          value={filters.serving ?? ANY}
          onChange={(serving) => onChange({ serving })}
        />
        <SubscriptionSelect
          value={filters.subscription}
          onChange={(subscription) => onChange({ subscription })}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={AD_ORDERS.map((value) => ({ value, label: SORT_WORDS[value] }))}
          value={filters.sort ?? "newest"}
          onChange={(sort) => onChange({ sort })}
        />
        {isFiltered(filters) ? (
          <Button variant="subtle" className={classes.clear ?? ""} onClick={() => onChange(NO_FILTERS)}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}
