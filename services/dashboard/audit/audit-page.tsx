import { Paper } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { query } from "../api/client.ts";
import { fieldsQuery, membersQuery, tiersQuery } from "../api/queries.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { priceWords } from "../components/format.ts";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { Empty } from "../components/states.tsx";
import classes from "./audit.module.css";
import { AuditRow } from "./audit-row.tsx";
import type { ResourceNames } from "./changes.ts";

const PER_PAGE = 25;

/** Who changed what, newest first. */
export function AuditPage() {
  const mayRead = useMay("Manager");
  return (
    <Page title="Audit log">
      {mayRead ? (
        <Changes />
      ) : (
        <Empty
          title="Only for managers and owners"
          text="The audit log shows who changed what in this workspace."
        />
      )}
    </Page>
  );
}

function Changes() {
  const { id: workspaceId } = useWorkspace();
  const { page = 1 } = useSearch({ from: "/signed-in/w/$workspaceId/audit" });
  const navigate = useNavigate({ from: "/w/$workspaceId/audit" });
  const names = useResourceNames(workspaceId);
  const changes = useQuery(
    query.audit.list.queryOptions({
      input: { workspaceId, page, perPage: PER_PAGE },
      placeholderData: keepPreviousData,
    }),
  );
  const show = (wanted: number) => void navigate({ search: wanted === 1 ? {} : { page: wanted } });
  return (
    <PagedList
      query={changes}
      what="change"
      empty={<Empty title="No changes yet" text="Every change appears here, with who made it." />}
      onPage={show}
    >
      {(entries) => (
        <Paper withBorder px="lg" py="xs">
          <ol className={classes.list} aria-label="Changes">
            {entries.map((entry) => (
              <AuditRow key={entry.id} entry={entry} names={names} />
            ))}
          </ol>
        </Paper>
      )}
    </PagedList>
  );
}

/** The most ads that one request returns. Older ads appear without their names. */
const ADS = 100;

/** The current names of the workspace's resources by id, as far as they are loaded. */
function useResourceNames(workspaceId: string): ResourceNames {
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const { data: ads } = useQuery(query.ads.list.queryOptions({ input: { workspaceId, perPage: ADS } }));
  return useMemo(
    () =>
      new Map([
        ...tiers.map(({ id, name }) => [id, name] as const),
        ...tiers.flatMap(({ prices }) => prices.map((price) => [price.id, priceWords(price)] as const)),
        ...fields.map(({ id, name }) => [id, name] as const),
        ...members.map(({ id, person }) => [id, person.name] as const),
        ...(ads?.items ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [tiers, fields, members, ads],
  );
}
