import "@mantine/charts/styles.css";
import { CompositeChart } from "@mantine/charts";
import { formatCount, formatShortCount, formatStatsDay } from "./format.ts";

export interface StatsRow {
  /** Midnight UTC of the day. */
  readonly date: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** Impressions use the left axis and clicks the right one, since few impressions are clicked. */
export function DailyChart({ rows }: { readonly rows: readonly StatsRow[] }) {
  const data = rows.map(({ date, impressions, clicks }) => ({
    day: formatStatsDay(date),
    impressions,
    clicks,
  }));
  return (
    <CompositeChart
      h={280}
      data={data}
      dataKey="day"
      series={[
        { name: "impressions", label: "Impressions", color: "indigo.6", type: "area" },
        { name: "clicks", label: "Clicks", color: "orange.6", type: "line", yAxisId: "right" },
      ]}
      withRightYAxis
      withLegend
      withDots={false}
      curveType="monotone"
      strokeWidth={2}
      gridAxis="x"
      tickLine="none"
      valueFormatter={formatCount}
      yAxisProps={{ tickFormatter: formatShortCount, allowDecimals: false, width: 44 }}
      rightYAxisProps={{ tickFormatter: formatShortCount, allowDecimals: false, width: 44 }}
      xAxisProps={{ minTickGap: 24 }}
      // It is hidden from screen readers, which get the table, so nothing in it may take focus.
      composedChartProps={{ accessibilityLayer: false }}
    />
  );
}
