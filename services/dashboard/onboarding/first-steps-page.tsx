import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { query } from "../shell/client.ts";
import { NoAccessPage } from "../shell/no-access-page.tsx";
import { statusOf } from "../shell/problems.ts";
import { QueryView } from "../shell/states.tsx";
import { FirstTier } from "./first-tier.tsx";
import { PutOnSite } from "./put-on-site.tsx";

/** What makes a new workspace ready to sell: a tier with a price, and a place on the site to show ads in. */
export function FirstStepsPage() {
  const { workspaceId } = useParams({ from: "/signed-in/w/$workspaceId/welcome" });
  const { step } = useSearch({ from: "/signed-in/w/$workspaceId/welcome" });
  const workspace = useQuery(query.workspaces.get.queryOptions({ input: { workspaceId } }));

  const status = statusOf(workspace.error);
  if (status === 403 || status === 404) return <NoAccessPage />;
  return (
    <QueryView query={workspace}>
      {(found) => (step === "tag" ? <PutOnSite workspace={found} /> : <FirstTier workspace={found} />)}
    </QueryView>
  );
}
