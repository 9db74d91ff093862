import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { query } from "../shell/client.ts";
import { LinkTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { statusOf } from "../shell/problems.ts";
import { Empty, QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { allFieldsQuery } from "./ad-queries.ts";
import { AdView } from "./ad-view.tsx";

/** One ad: what it shows, what can be decided about it, how it does. */
export function AdPage() {
  const { id: workspaceId } = useWorkspace();
  const { adId } = useParams({ from: "/signed-in/w/$workspaceId/ads/$adId" });
  const ad = useQuery(query.ads.get.queryOptions({ input: { workspaceId, adId } }));
  const fields = useQuery(allFieldsQuery(workspaceId));

  if (ad.data !== undefined && fields.data !== undefined) {
    return <AdView key={adId} ad={ad.data} fields={fields.data} />;
  }
  return (
    <Page title="Ad">
      {statusOf(ad.error) === 404 ? (
        <Empty
          title="There is no such ad"
          text="The address may be mistyped, or the ad belongs to another workspace."
          action={
            <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }}>
              All ads
            </LinkTo>
          }
        />
      ) : (
        <QueryView query={ad}>{() => <QueryView query={fields}>{() => null}</QueryView>}</QueryView>
      )}
    </Page>
  );
}
