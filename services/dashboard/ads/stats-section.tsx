import { Group, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clickRateHint } from "#libs/domain/click-rate.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { type Days, DaysSwitch } from "../components/days.tsx";
import { Figure, Figures } from "../components/figures.tsx";
import { formatClickRate, formatCount } from "../components/format.ts";
import { ReportLink } from "../components/report-link.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { StatsChart } from "../components/stats-chart.tsx";
import { TrafficSection } from "../components/traffic-section.tsx";
import classes from "./ads.module.css";

interface StatsSectionProps {
  readonly adId: string;
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** How often the figures of an ad are read again, all of them, so that they agree. */
const REFRESH_MS = 30_000;

/** What of the ad's traffic was not counted, and why. */
export function AdTrafficSection({ adId, days }: Pick<StatsSectionProps, "adId" | "days">) {
  const { id: workspaceId } = useWorkspace();
  const traffic = useQuery(
    query.ads.traffic.queryOptions({
      input: { workspaceId, adId, days },
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  return <TrafficSection traffic={traffic} days={days} />;
}

/** The stats of the ad. */
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
        <Group gap="md" className={classes.days ?? ""}>
          <ReportLink of={{ ad: adId }} />
          <DaysSwitch value={days} onChange={onDays} />
        </Group>
      }
    >
      <QueryView query={stats}>
        {({ rows, totals }) => (
          <Stack gap="lg">
            <Figures cols={3}>
              <Figure name="Impressions" value={formatCount(totals.impressions)} />
              <Figure name="Clicks" value={formatCount(totals.clicks)} />
              <Figure name="CTR" value={formatClickRate(totals)} hint={clickRateHint(totals)} />
            </Figures>
            <StatsChart rows={rows} />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
