import { Anchor, Button, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../shell/client.ts";
import { Page } from "../shell/page.tsx";
import { Empty, QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { AdFilterBar } from "./ad-filter-bar.tsx";
import {
  type AdFilters,
  adsInput,
  changeAdFilters,
  isFiltered,
  readAdFilters,
  writeAdFilters,
} from "./ad-filters.ts";
import { openRevisionsQuery } from "./ad-queries.ts";
import { AdRows } from "./ad-rows.tsx";
import { Pager } from "./pager.tsx";
import { ReviewQueue } from "./review-queue.tsx";

/** The ads of a workspace: first what waits for a decision, then all of them. */
export function AdsPage() {
  const { id: workspaceId, slug } = useWorkspace();
  const filters = readAdFilters({ ...useSearch({ from: "/signed-in/w/$workspaceId/ads" }) });
  const navigate = useNavigate({ from: "/w/$workspaceId/ads" });
  const found = useQuery(
    query.ads.list.queryOptions({
      input: adsInput(workspaceId, filters),
      placeholderData: keepPreviousData,
    }),
  );
  const revisions = useQuery(openRevisionsQuery(workspaceId));
  const edited = new Set(revisions.data?.items.filter(({ note }) => note === null).map(({ adId }) => adId));

  const change = (changed: Partial<AdFilters>) => {
    const search = writeAdFilters(changeAdFilters(filters, changed));
    // A page is a place to come back to; what is typed and chosen on the way there is not.
    void navigate({ search, replace: changed.page === undefined, resetScroll: changed.page !== undefined });
  };
  const clear = () => change({ status: null, tierId: null, serving: null, text: "" });
  const hasFilters = isFiltered(filters);

  return (
    <Page title="Ads">
      {hasFilters || filters.page > 1 ? null : <ReviewQueue />}
      <AdFilterBar filters={filters} onChange={change} />
      <QueryView query={found}>
        {(page) =>
          page.total === 0 ? (
            <NoAds hasFilters={hasFilters} onClear={clear} advertiseUrl={`/advertise/${slug}`} />
          ) : (
            <Stack gap="md" aria-busy={found.isFetching} opacity={found.isPlaceholderData ? 0.6 : 1}>
              <AdRows ads={page.items} edited={edited} />
              <Pager {...page} what={["ad", "ads"]} onChange={(chosen) => change({ page: chosen })} />
            </Stack>
          )
        }
      </QueryView>
    </Page>
  );
}

interface NoAdsProps {
  readonly hasFilters: boolean;
  readonly onClear: () => void;
  readonly advertiseUrl: string;
}

function NoAds({ hasFilters, onClear, advertiseUrl }: NoAdsProps) {
  if (hasFilters) {
    return (
      <Empty
        title="No ad matches"
        text="Try fewer filters, or another word."
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  }
  return (
    <Empty
      title="No ads yet"
      text="An ad appears here for review once an advertiser has bought a tier and submitted a creative."
      action={
        <Anchor href={advertiseUrl} target="_blank" rel="noopener">
          Open your advertise page
        </Anchor>
      }
    />
  );
}
