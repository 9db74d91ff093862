import { Skeleton, VisuallyHidden } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { StatsRow } from "./daily-chart.tsx";
import { formatCount, formatStatsDay } from "./format.ts";

/** Recharts is larger than the rest of a page, so it loads after it. */
const DailyChart = lazy(async () => ({ default: (await import("./daily-chart.tsx")).DailyChart }));

/** Impressions and clicks per day, as a chart and as a table for screen readers. */
export function StatsChart({ rows }: { readonly rows: readonly StatsRow[] }) {
  return (
    <div>
      <div aria-hidden="true" className="stats-chart">
        <Suspense fallback={<Skeleton h={280} />}>
          <DailyChart rows={rows} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>Impressions and clicks per day (UTC)</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Impressions</th>
              <th scope="col">Clicks</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ date, impressions, clicks }) => (
              <tr key={date}>
                <th scope="row">{formatStatsDay(date)}</th>
                <td>{formatCount(impressions)}</td>
                <td>{formatCount(clicks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  );
}
