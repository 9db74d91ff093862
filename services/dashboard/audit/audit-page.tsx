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
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import type { ResourceNames } from "./changes.ts";
import { auditInput, readAuditSearch } from "./search.ts";

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
  const search = useSearch({ from: "/signed-in/w/$workspaceId/audit" });
  const navigate = useNavigate({ from: "/w/$workspaceId/audit" });
  const names = useResourceNames(workspaceId);
  const changes = useQuery(
    query.audit.list.queryOptions({
      input: { ...auditInput(workspaceId, search), perPage: PER_PAGE },
      placeholderData: keepPreviousData,
    }),
  );
  const change = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({
      search: readAuditSearch({ ...search, page: 1, ...changed }),
      replace: changed.page === undefined,
      resetScroll: changed.page !== undefined,
    });
  return (
    <>
      <AuditFilters search={search} onChange={change} />
      <PagedList
        query={changes}
        what="change"
        empty={
          <Empty title="No changes" text="No change matches. Every change appears here, with who made it." />
        }
        onPage={(page) => change({ page })}
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
    </>
  );
}

/** The current names of the workspace's resources by id, as far as they are loaded. */
function useResourceNames(workspaceId: string): ResourceNames {
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  return useMemo(
    () =>
      new Map([
        ...tiers.map(({ id, name }) => [id, name] as const),
        ...tiers.flatMap(({ prices }) => prices.map((price) => [price.id, priceWords(price)] as const)),
        ...fields.map(({ id, name }) => [id, name] as const),
        ...members.map(({ id, person }) => [id, person.name] as const),
      ]),
    [tiers, fields, members],
  );
}
