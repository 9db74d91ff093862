import { Button, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import classes from "../components/lists.module.css";
import { ACTIONS, RESOURCES } from "./actions.ts";
import type { AuditSearch } from "./search.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: Readonly<Record<string, unknown>>) => void;
}

const ANY = "";
const KINDS = [
  { value: "all", label: "Everyone" },
  { value: "key", label: "API keys" },
  { value: "advertiser", label: "Advertisers" },
  { value: "processor", label: "Payment processor" },
  { value: "operator", label: "Operator" },
];

/** The filters of the audit log: by whom, what, and when. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { id: workspaceId } = useWorkspace();
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const { by = ANY, what = ANY, from = "", to = "" } = search;
  const people = members.map(({ person }) => ({ value: person.id, label: person.name }));
  const isKnown = by === ANY || [...KINDS, ...people].some(({ value }) => value === by);
  const day = (name: "from" | "to", label: string, value: string) => (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
  return (
    <search className={classes.bar}>
      <Select
        label="By"
        allowDeselect={false}
        data={[
          { value: ANY, label: "People and API keys" },
          ...KINDS,
          ...people,
          ...(isKnown ? [] : [{ value: by, label: "A former member" }]),
        ]}
        value={by}
        onChange={(chosen) => onChange({ by: chosen })}
      />
      <Select
        label="What"
        allowDeselect={false}
        searchable
        data={[
          { value: ANY, label: "Anything" },
          ...Object.entries(RESOURCES).flatMap(([kind, label]) => [
            { value: kind, label },
            ...ACTIONS.filter((one) => one.kind === kind).map((one) => ({
              value: one.action,
              label: one.label,
            })),
          ]),
        ]}
        value={what}
        onChange={(chosen) => onChange({ what: chosen })}
      />
      {day("from", "From", from)}
      {day("to", "To", to)}
      {[by, what, from, to].every((one) => one === "") ? null : (
        <Button
          variant="subtle"
          style={{ alignSelf: "end", justifySelf: "start" }}
          onClick={() => onChange({ by: "", what: "", from: "", to: "" })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
