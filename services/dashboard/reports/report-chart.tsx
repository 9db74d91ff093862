import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { CHART_HEIGHT } from "../components/chart-scale.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { ChartFrame } from "../components/stats-chart.tsx";
import { reportPoints, unfinishedAt } from "./report-points.ts";
import type { ShownReport } from "./report-query.ts";
import type { Step } from "./report-search.ts";
import { STEP_WORDS } from "./report-words.ts";

/** Recharts is larger than the rest of a page, so it loads after it. */
const DailyChart = lazy(async () => ({
  default: (await import("../components/daily-chart.tsx")).DailyChart,
}));

const CHARTED = [
  { of: "impressions", name: "Impressions" },
  { of: "clicks", name: "Clicks" },
] as const;

/** Impressions and clicks over time, the compared period as a second line. The table below has the same numbers. */
export function ReportChart({ report, step }: { readonly report: ShownReport; readonly step: Step }) {
  const now = Date.now();
  const points = reportPoints(report, step, now);
  const isRunning = unfinishedAt(report.times, report.query, now) !== null;
  if (points.length < 2) return null;
  const notes = [
    ...(report.query.comparison === null ? [] : ["Gray: the compared period."]),
    ...(isRunning ? [`The current ${STEP_WORDS[step].toLowerCase()} is in the table only.`] : []),
  ];
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" aria-hidden="true">
        {CHARTED.map(({ of, name }) => (
          <ChartFrame key={of} of={of} name={name}>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
              <DailyChart points={points} of={of} />
            </Suspense>
          </ChartFrame>
        ))}
      </SimpleGrid>
      {notes.length === 0 ? null : <Dimmed size="xs">{notes.join(" ")}</Dimmed>}
    </Stack>
  );
}
