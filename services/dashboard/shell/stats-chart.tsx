import { Skeleton, VisuallyHidden } from "@mantine/core";
import { lazy, Suspense } from "react";
import { formatCount, formatStatsDay } from "./format.ts";

/** Recharts is heavier than everything else on a page together, so it comes after it. */
const DailyChart = lazy(async () => ({ default: (await import("./daily-chart.tsx")).DailyChart }));

export interface StatsRow {
  /** Midnight UTC of the day. */
  readonly date: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** Impressions and clicks a day, as a chart, and as a table for who cannot see it. */
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
          <caption>Impressions and clicks a day (UTC)</caption>
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
