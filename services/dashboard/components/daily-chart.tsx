import "@mantine/charts/styles.css";
import { CompositeChart } from "@mantine/charts";
import { Paper, Text } from "@mantine/core";
import { CHART_HEIGHT, type ChartedPoint, roundTicks } from "./chart-scale.ts";
import { formatAxisCount, formatCount } from "./format.ts";

const DASHES = "5 5";
const COLORS = { impressions: "indigo.6", clicks: "orange.6" };

/** A point as it is drawn: the line up to yesterday, and the dashed one to today. */
interface Drawn extends ChartedPoint {
  readonly whole: number | null;
  readonly rest: number | null;
  readonly earlier: number | null;
}

interface DailyChartProps {
  readonly points: readonly ChartedPoint[];
  readonly of: "impressions" | "clicks";
}

/** One figure over time. */
export function DailyChart({ points, of }: DailyChartProps) {
  const data = points.map((point, index): Drawn => {
    const { isUnfinished } = point;
    const leadsToToday = isUnfinished || points[index + 1]?.isUnfinished === true;
    return {
      ...point,
      whole: isUnfinished ? null : point[of],
      rest: leadsToToday ? point[of] : null,
      earlier: point.before?.[of] ?? null,
    };
  });
  const color = COLORS[of];
  const isCompared = points.some(({ before }) => before !== undefined);
  return (
    <CompositeChart
      h={CHART_HEIGHT}
      data={data}
      dataKey="label"
      series={[
        ...(isCompared ? [{ name: "earlier", color: "gray.5", type: "line" as const }] : []),
        { name: "whole", color, type: "area" },
        { name: "rest", color, type: "line", strokeDasharray: DASHES },
      ]}
      withDots={false}
      curveType="linear"
      connectNulls={false}
      strokeWidth={2}
      gridAxis="x"
      tickLine="none"
      yAxisProps={axis(points.flatMap((point) => [point[of] ?? 0, point.before?.[of] ?? 0]))}
      xAxisProps={{ minTickGap: 24, interval: "equidistantPreserveStart" }}
      tooltipProps={{
        content: ({ payload }) => <PointTip point={data.find(({ label }) => label === labelOf(payload))} />,
      }}
      // The table below it has the numbers for screen readers, so nothing in it may take focus.
      composedChartProps={{ accessibilityLayer: false }}
    />
  );
}

function axis(counts: readonly number[]) {
  const ticks = roundTicks(Math.max(0, ...counts));
  return { ticks, domain: [0, ticks.at(-1) ?? 1], tickFormatter: formatAxisCount, width: 44 };
}

function labelOf(payload: readonly { readonly payload?: unknown }[] | undefined): unknown {
  const shown = payload?.[0]?.payload;
  return typeof shown === "object" && shown !== null && "label" in shown ? shown.label : undefined;
}

function PointTip({ point }: { readonly point: Drawn | undefined }) {
  if (point === undefined) return null;
  const { name, isUnfinished, impressions, clicks, before } = point;
  return (
    <Paper withBorder shadow="md" px="sm" py="xs">
      <Text size="sm" fw={600}>
        {isUnfinished ? `${name}, so far` : name}
      </Text>
      <Text size="sm">Impressions: {countWords(impressions, before?.impressions)}</Text>
      <Text size="sm">Clicks: {countWords(clicks, before?.clicks)}</Text>
    </Paper>
  );
}

function countWords(count: number | null, before: number | null | undefined): string {
  const words = count === null ? "–" : formatCount(count);
  return before === null || before === undefined ? words : `${words} (before: ${formatCount(before)})`;
}
