import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../shell/client.ts";
import { DaysSwitch } from "../shell/days.tsx";
import { Page } from "../shell/page.tsx";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { Performance } from "./performance.tsx";

/** How the placements of a workspace do; until something was bought, what is left to do for that. */
export function OverviewPage() {
  const { days = 30 } = useSearch({ from: "/signed-in/w/$workspaceId/overview" });
  const navigate = useNavigate({ from: "/w/$workspaceId/overview" });
  const { id: workspaceId } = useWorkspace();
  const ads = useQuery(query.ads.list.queryOptions({ input: { workspaceId, perPage: 1 } }));
  const isEmpty = ads.data?.total === 0;

  return (
    <Page
      title="Overview"
      actions={
        isEmpty ? null : (
          <DaysSwitch
            value={days}
            onChange={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
          />
        )
      }
    >
      <QueryView query={ads}>
        {({ total }) => (total === 0 ? <GettingStarted /> : <Performance days={days} />)}
      </QueryView>
    </Page>
  );
}
