import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { reviewQueueQuery } from "../shell/navigation.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { Figure } from "./figure.tsx";

/** How much waits for a decision, with the way there. */
export function ToReviewFigure() {
  const { id: workspaceId } = useWorkspace();
  const { data, isError } = useQuery(reviewQueueQuery(workspaceId));
  if (data === undefined) {
    return <Figure label="To review" value={isError ? "–" : <Skeleton h={30} my={2} />} />;
  }
  const waiting = data.ads + data.revisions;
  return (
    <Figure
      label="To review"
      value={formatCount(waiting)}
      {...(waiting === 0
        ? {}
        : {
            note: (
              <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="xs">
                Review now
              </LinkTo>
            ),
          })}
    />
  );
}
