import { Skeleton, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clickRateHint } from "#libs/domain/click-rate.ts";
import { query } from "../api/client.ts";
import { reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import type { Days } from "../components/days.tsx";
import { Figure, Figures } from "../components/figures.tsx";
import { formatClickRate, formatCount, formatMoney } from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { ReportLink } from "../components/report-link.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { StatsChart } from "../components/stats-chart.tsx";
import { TrafficSection } from "../components/traffic-section.tsx";
import { SubscriptionsSection } from "./subscriptions-section.tsx";
import { TopAds } from "./top-ads.tsx";

/** Events reach the stats, and payments the revenue, within seconds; an open page reloads at this interval. */
const REFRESH_MS = 15_000;

/** Totals, a chart by day, and the top ads. */
export function Performance({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const stats = useQuery(
    query.stats.workspace.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  return (
    <QueryView query={stats}>
      {({ totals, rows, ads }) => (
        <Stack gap="lg" aria-busy={stats.isPlaceholderData}>
          <Figures cols={{ base: 2, lg: 5 }} className="overview-figures">
            <Figure isCard name="Impressions" value={formatCount(totals.impressions)} />
            <Figure isCard name="Clicks" value={formatCount(totals.clicks)} />
            <Figure isCard name="CTR" value={formatClickRate(totals)} hint={clickRateHint(totals)} />
            <RevenueFigure days={days} />
            <ToReviewFigure />
          </Figures>
          <Section title="Impressions and clicks by day" actions={<ReportLink />}>
            <StatsChart rows={rows} />
          </Section>
          <TopAds ads={ads} days={days} />
          <SubscriptionsSection days={days} />
          <WorkspaceTraffic days={days} />
        </Stack>
      )}
    </QueryView>
  );
}

/** The traffic of all ads that was not counted, and why. */
function WorkspaceTraffic({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const traffic = useQuery(
    query.stats.traffic.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  return <TrafficSection traffic={traffic} days={days} isBrief />;
}

/** Revenue minus refunds in the workspace's currency. Other currencies are listed below, never added up. */
function RevenueFigure({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const revenue = useQuery(
    query.invoices.revenueByDay.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  if (revenue.data === undefined) {
    return <Figure isCard name="Revenue" value={revenue.isError ? "–" : <Skeleton h={30} my={2} />} />;
  }
  const [own, ...others] = revenue.data.currencies.map(({ currency, totals }) =>
    formatMoney(totals.net, currency),
  );
  return (
    <Figure
      isCard
      name="Revenue"
      value={own ?? "–"}
      hint={others.length === 0 ? undefined : `and ${others.join(", ")}`}
    />
  );
}

function ToReviewFigure() {
  const { id: workspaceId } = useWorkspace();
  const { data, isError } = useQuery(reviewQueueQuery(workspaceId));
  if (data === undefined) {
    return <Figure isCard name="To review" value={isError ? "–" : <Skeleton h={30} my={2} />} />;
  }
  const waiting = data.ads + data.revisions;
  return (
    <Figure
      isCard
      name="To review"
      value={formatCount(waiting)}
      hint={
        waiting === 0 ? undefined : (
          <LinkTo to="/w/$workspaceId/review" params={{ workspaceId }} size="xs">
            Review now
          </LinkTo>
        )
      }
    />
  );
}
