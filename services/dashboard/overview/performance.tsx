import { Paper, SimpleGrid, Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query } from "../shell/client.ts";
import type { Days } from "../shell/days.tsx";
import { formatCount, formatPercent } from "../shell/format.ts";
import { QueryView } from "../shell/states.tsx";
import { StatsChart } from "../shell/stats-chart.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { Figure } from "./figure.tsx";
import { RevenueFigure } from "./revenue-figure.tsx";
import { ToReviewFigure } from "./to-review-figure.tsx";
import { TopAds } from "./top-ads.tsx";
import { clickThroughRate } from "./totals.ts";

/** Events are in the stats within seconds; an open page follows at this pace. */
const ANEW_EVERY_MS = 15_000;

/** Totals, the days one by one, and the ads that brought most of it. */
export function Performance({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const stats = useQuery(
    query.stats.workspace.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
      refetchInterval: ANEW_EVERY_MS,
    }),
  );
  return (
    <QueryView query={stats}>
      {({ totals, rows, ads }) => (
        <Stack gap="lg" aria-busy={stats.isPlaceholderData}>
          <SimpleGrid
            component="dl"
            m={0}
            cols={{ base: 2, lg: 5 }}
            spacing="md"
            className="overview-figures"
          >
            <Figure label="Impressions" value={formatCount(totals.impressions)} />
            <Figure label="Clicks" value={formatCount(totals.clicks)} />
            <Figure label="CTR" value={formatPercent(clickThroughRate(totals))} />
            <RevenueFigure days={days} />
            <ToReviewFigure />
          </SimpleGrid>
          <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-labelledby="by-day">
            <Title order={2} size="h5" id="by-day" mb="md">
              Impressions and clicks by day
            </Title>
            <StatsChart rows={rows} />
          </Paper>
          <TopAds ads={ads} days={days} />
        </Stack>
      )}
    </QueryView>
  );
}
