import { SimpleGrid, Skeleton, Stack, Table, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import {
  CHART_HEIGHT,
  type ChartedPoint,
  type ChartPoint,
  chartPoints,
  type StatsRow,
} from "./chart-scale.ts";
import { Dimmed } from "./dimmed.tsx";
import { formatClickRate, formatCount, formatStatsDay } from "./format.ts";
import classes from "./stats-chart.module.css";

/** Recharts is larger than the rest of a page, so it loads after it. */
const DailyChart = lazy(async () => ({ default: (await import("./daily-chart.tsx")).DailyChart }));

const CHARTED = [
  { of: "impressions", name: "Impressions" },
  { of: "clicks", name: "Clicks" },
] as const;

/** Impressions and clicks per day, of UTC days up to today, as a chart and as a table. */
export function StatsChart({ rows }: { readonly rows: readonly StatsRow[] }) {
  const points = chartPoints(rows);
  const charted = points.map(chartedPoint);
  const isWeekly = (points[0]?.days ?? 1) > 1;
  return (
    <Stack gap="xs">
      <ChartPair points={charted} />
      <Dimmed size="xs">
        {isWeekly
          ? "Weekly totals, UTC. Dashed: this week so far."
          : "Daily totals, UTC. Dashed: today so far."}
      </Dimmed>
      <DailyTable rows={rows} />
    </Stack>
  );
}

/**
 * A chart of impressions and one of clicks, because few impressions are clicked: on one scale the clicks would be flat, on two the lines
 * would cross by chance.
 */
export function ChartPair({ points }: { readonly points: readonly ChartedPoint[] }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" aria-hidden="true">
      {CHARTED.map(({ of, name }) => (
        <div key={of} className={classes.chart}>
          <Text size="sm" fw={600} mb="xs" className={classes[of] ?? ""}>
            {name}
          </Text>
          <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
            <DailyChart points={points} of={of} />
          </Suspense>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** Labels a point `Nov 21`; a week is named by its first day, with the year. */
function chartedPoint({ date, days, impressions, clicks, isUnfinished }: ChartPoint): ChartedPoint {
  const label = formatStatsDay(date, days > 1);
  return { label, name: days > 1 ? `Week from ${label}` : label, impressions, clicks, isUnfinished };
}

/** The same numbers, the newest day first. */
function DailyTable({ rows }: { readonly rows: readonly StatsRow[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>Daily breakdown</summary>
      {isOpen ? (
        <section
          className={classes.scroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard can do as well
          tabIndex={0}
          aria-label="Impressions and clicks per day"
        >
          <Table className={classes.table ?? ""} verticalSpacing={4} horizontalSpacing="xs" stickyHeader>
            <Table.Caption className={classes.caption ?? ""}>
              Impressions and clicks per day (UTC)
            </Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day</Table.Th>
                <Table.Th>Impressions</Table.Th>
                <Table.Th>Clicks</Table.Th>
                <Table.Th>CTR</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.toReversed().map((row, index) => (
                <Table.Tr key={row.date}>
                  <Table.Th scope="row" fw={400}>
                    {formatStatsDay(row.date, rows.length > 100)}
                    {index === 0 ? ", so far" : ""}
                  </Table.Th>
                  <Table.Td>{formatCount(row.impressions)}</Table.Td>
                  <Table.Td>{formatCount(row.clicks)}</Table.Td>
                  <Table.Td>{formatClickRate(row)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ) : null}
    </details>
  );
}
