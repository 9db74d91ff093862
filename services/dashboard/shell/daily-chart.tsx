import "@mantine/charts/styles.css";
import { CompositeChart } from "@mantine/charts";
import { formatCount, formatShortCount, formatStatsDay } from "./format.ts";
import type { StatsRow } from "./stats-chart.tsx";

/** Impressions by the left axis, clicks by the right one: of a hundred impressions one or two are clicked. */
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
      // It is hidden from screen readers, which have the table: nothing in it may take the focus.
      composedChartProps={{ accessibilityLayer: false }}
    />
  );
}
