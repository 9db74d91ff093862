import { Paper, Select } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { reviewQueueQuery, tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { LinkTo } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { Empty } from "../components/states.tsx";
import { readQueueSearch } from "./queue-search.ts";
import { QueueRows } from "./review-queue.tsx";

/** Everything that waits for a review: new ads and edits, the longest wait first. */
export function ReviewPage() {
  const { id: workspaceId } = useWorkspace();
  const search = useSearch({ from: "/signed-in/w/$workspaceId/review" });
  const { page = 1, kind, tier } = search;
  const navigate = useNavigate({ from: "/w/$workspaceId/review" });
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  const queue = useQuery({
    ...reviewQueueQuery(workspaceId, {
      page,
      ...(kind === undefined ? {} : { kind }),
      ...(tier === undefined ? {} : { tierId: tier }),
    }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = kind !== undefined || tier !== undefined;
  const change = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({ search: readQueueSearch({ ...search, page: 1, ...changed }), replace: true });
  return (
    <Page
      title="To review"
      above={
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          Ads
        </LinkTo>
      }
    >
      {queue.data?.total === 0 && !isFiltered ? null : (
        <search className={classes.bar}>
          <Select
            aria-label="Kind"
            allowDeselect={false}
            data={[
              { value: "", label: "New ads and edits" },
              { value: "ad", label: "New ads" },
              { value: "revision", label: "Edits" },
            ]}
            value={kind ?? ""}
            onChange={(chosen) => change({ kind: chosen })}
          />
          <Select
            aria-label="Tier"
            allowDeselect={false}
            searchable={tiers.length > 10}
            data={[
              { value: "", label: "Any tier" },
              ...tiers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={tier ?? ""}
            onChange={(chosen) => change({ tier: chosen })}
          />
        </search>
      )}
      <PagedList
        query={queue}
        what="submission"
        empty={
          <Empty
            title={isFiltered ? "Nothing matches" : "Nothing to review"}
            text={
              isFiltered
                ? "Choose another kind or tier."
                : "New ads and edits appear here when advertisers submit them."
            }
          />
        }
        onPage={(chosen) => void navigate({ search: readQueueSearch({ ...search, page: chosen }) })}
      >
        {(entries) => (
          <Paper withBorder p={{ base: "md", sm: "lg" }}>
            <QueueRows entries={entries} />
          </Paper>
        )}
      </PagedList>
    </Page>
  );
}
