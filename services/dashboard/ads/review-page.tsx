import { Paper } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { LinkTo } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { Empty } from "../components/states.tsx";
import { QueueRows } from "./review-queue.tsx";

/** Everything that waits for a review: new ads and edits, the longest wait first. */
export function ReviewPage() {
  const { id: workspaceId } = useWorkspace();
  const { page = 1 } = useSearch({ from: "/signed-in/w/$workspaceId/review" });
  const navigate = useNavigate({ from: "/w/$workspaceId/review" });
  const queue = useQuery({ ...reviewQueueQuery(workspaceId, page), placeholderData: keepPreviousData });
  return (
    <Page
      title="To review"
      above={
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          Ads
        </LinkTo>
      }
    >
      <PagedList
        query={queue}
        what="submission"
        empty={
          <Empty
            title="Nothing to review"
            text="New ads and edits appear here when advertisers submit them."
          />
        }
        onPage={(chosen) => void navigate({ search: chosen === 1 ? {} : { page: chosen } })}
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
