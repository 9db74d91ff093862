import { Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query } from "../shell/client.ts";
import { type Days, DaysSwitch } from "../shell/days.tsx";
import { formatCount, formatPercent } from "../shell/format.ts";
import { QueryView } from "../shell/states.tsx";
import { StatsChart } from "../shell/stats-chart.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { Figures } from "./figures.tsx";
import { Section } from "./section.tsx";
import classes from "./stats-section.module.css";

interface StatsSectionProps {
  readonly adId: string;
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

const REFRESH_MS = 30_000;

/** What was counted for the ad in a window of days. */
export function StatsSection({ adId, days, onDays }: StatsSectionProps) {
  const { id: workspaceId } = useWorkspace();
  const stats = useQuery(
    query.ads.stats.queryOptions({
      input: { workspaceId, adId, days },
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  return (
    <Section
      title="Stats"
      actions={
        <div className={classes.days}>
          <DaysSwitch value={days} onChange={onDays} />
        </div>
      }
    >
      <QueryView query={stats}>
        {({ rows, totals: { impressions, clicks } }) => (
          <Stack gap="lg">
            <Figures
              figures={[
                { name: "Impressions", value: formatCount(impressions) },
                { name: "Clicks", value: formatCount(clicks) },
                { name: "CTR", value: formatPercent(clicks / impressions) },
              ]}
            />
            <StatsChart rows={rows} />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
