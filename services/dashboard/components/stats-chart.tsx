import { Group, Skeleton, Stack, Table, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { chartPoints, type StatsRow } from "./chart-scale.ts";
import { Dimmed } from "./dimmed.tsx";
import { formatClickRate, formatCount, formatStatsDay } from "./format.ts";
import classes from "./stats-chart.module.css";

/** Recharts is larger than the rest of a page, so it loads after it. */
const DailyChart = lazy(async () => ({ default: (await import("./daily-chart.tsx")).DailyChart }));

/** Impressions and clicks per day, of UTC days up to today, as a chart and as a table. */
export function StatsChart({ rows }: { readonly rows: readonly StatsRow[] }) {
  const points = chartPoints(rows);
  const isWeekly = (points[0]?.days ?? 1) > 1;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs" aria-hidden="true">
        <Text size="sm" className={classes.impressions ?? ""}>
          Impressions (left)
        </Text>
        <Text size="sm" className={classes.clicks ?? ""}>
          Clicks (right)
        </Text>
      </Group>
      <div aria-hidden="true" className={classes.chart}>
        <Suspense fallback={<Skeleton h={280} />}>
          <DailyChart points={points} />
        </Suspense>
      </div>
      <Dimmed size="xs">
        {isWeekly ? "Weeks of days in UTC." : "Days in UTC."} Dashed:{" "}
        {isWeekly ? "this week, with today so far" : "today so far"}.
      </Dimmed>
      <DailyTable rows={rows} />
    </Stack>
  );
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
