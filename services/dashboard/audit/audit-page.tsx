import { Paper } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pager } from "../ads/pager.tsx";
import { query } from "../shell/client.ts";
import { Page } from "../shell/page.tsx";
import { Empty, QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import classes from "./audit.module.css";
import { AuditRow } from "./audit-row.tsx";
import { useResourceNames } from "./use-resource-names.ts";

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
          title="Only for Managers and Owners"
          text="The audit log tells who changed what in this workspace."
        />
      )}
    </Page>
  );
}

function Changes() {
  const { id: workspaceId } = useWorkspace();
  const { page = 1 } = useSearch({ from: "/signed-in/w/$workspaceId/audit" });
  const navigate = useNavigate();
  const names = useResourceNames(workspaceId);
  const changes = useQuery(
    query.audit.list.queryOptions({
      input: { workspaceId, page, perPage: PER_PAGE },
      placeholderData: keepPreviousData,
    }),
  );
  const show = (wanted: number) =>
    void navigate({
      to: "/w/$workspaceId/audit",
      params: { workspaceId },
      search: wanted === 1 ? {} : { page: wanted },
    });
  return (
    <QueryView query={changes}>
      {({ items, ...envelope }) =>
        items.length === 0 ? (
          <Empty title="Nothing has changed yet" text="Every change is kept here, with who made it." />
        ) : (
          <>
            <Paper withBorder px="lg" py="xs">
              <ol className={classes.list} aria-label="Changes" aria-busy={changes.isPlaceholderData}>
                {items.map((entry) => (
                  <AuditRow key={entry.id} entry={entry} names={names} />
                ))}
              </ol>
            </Paper>
            <Pager {...envelope} what={["change", "changes"]} onChange={show} />
          </>
        )
      }
    </QueryView>
  );
}
