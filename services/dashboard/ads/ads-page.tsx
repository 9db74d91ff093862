import { Anchor, Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { AdInList } from "#libs/contract/ad.ts";
import { type AdOrder, isRank } from "#libs/domain/list-orders.ts";
import { query } from "../api/client.ts";
import { openRevisionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AwaitedPurchases } from "../components/awaited-purchases.tsx";
import { NeverRan } from "../components/never-ran.tsx";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { Empty } from "../components/states.tsx";
import { AdFilterBar } from "./ad-filter-bar.tsx";
import { type AdSearch, adsInput, changeAdFilters, isFiltered, NO_FILTERS } from "./ad-filters.ts";
import { AdRows } from "./ad-rows.tsx";
import { ReviewQueue } from "./review-queue.tsx";

/** The ads of a workspace: first the review queue, then all of them. */
export function AdsPage() {
  const { id: workspaceId, slug } = useWorkspace();
  const filters = useSearch({ from: "/signed-in/w/$workspaceId/ads" });
  const navigate = useNavigate({ from: "/w/$workspaceId/ads" });
  const found = useQuery(
    query.ads.list.queryOptions({
      input: adsInput(workspaceId, filters),
      placeholderData: keepPreviousData,
    }),
  );
  const revisions = useQuery(openRevisionsQuery(workspaceId));
  const edited = new Set(revisions.data?.items.filter(({ note }) => note === null).map(({ adId }) => adId));

  const change = (changed: AdSearch) => {
    const search = changeAdFilters(filters, changed);
    // Only a change of page adds to the history, not every filter on the way.
    void navigate({ search, replace: changed.page === undefined, resetScroll: changed.page !== undefined });
  };
  const hasFilters = isFiltered(filters);

  return (
    <Page title="Ads">
      {hasFilters || filters.page !== undefined ? null : (
        <>
          <ReviewQueue />
          <NeverRan />
          <AwaitedPurchases />
        </>
      )}
      {found.data?.total === 0 && !hasFilters ? null : <AdFilterBar filters={filters} onChange={change} />}
      <PagedList
        query={found}
        what="ad"
        empty={
          <NoAds onClear={hasFilters ? () => change(NO_FILTERS) : null} advertiseUrl={`/advertise/${slug}`} />
        }
        onPage={(page) => change({ page })}
      >
        {(ads) => (
          <>
            <StatsAway ads={ads} sort={filters.sort} />
            <AdRows ads={ads} edited={edited} />
          </>
        )}
      </PagedList>
    </Page>
  );
}

interface StatsAwayProps {
  readonly ads: readonly AdInList[];
  readonly sort: AdOrder | undefined;
}

/** Says that the list has no counts, while the stats are unavailable. */
function StatsAway({ ads, sort }: StatsAwayProps) {
  if (ads.every(({ last30Days }) => last30Days !== null)) return null;
  const isUnsorted = sort !== undefined && isRank(sort);
  return (
    <Notice color="yellow" icon="cloud-off" title="Stats aren’t available right now" role="status">
      {isUnsorted ? "Ads are listed without them, newest first." : "Ads are listed without them."} Nothing is
      lost.
    </Notice>
  );
}

interface NoAdsProps {
  /** Null without filters. */
  readonly onClear: (() => void) | null;
  readonly advertiseUrl: string;
}

function NoAds({ onClear, advertiseUrl }: NoAdsProps) {
  if (onClear !== null) {
    return (
      <Empty
        title="No matching ads"
        text="Try fewer filters or another search."
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
      text="Ads appear here for review once an advertiser has bought a tier and submitted their ad."
      action={
        <Anchor href={advertiseUrl} target="_blank" rel="noopener">
          Open your advertising page
        </Anchor>
      }
    />
  );
}
