import { Stack } from "@mantine/core";
import { Dimmed } from "../components/dimmed.tsx";
import { ChartPair } from "../components/stats-chart.tsx";
import { reportPoints, unfinishedAt } from "./report-points.ts";
import type { ShownReport } from "./report-query.ts";
import type { Step } from "./report-search.ts";
import { STEP_WORDS } from "./report-words.ts";

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
      <ChartPair points={points} />
      {notes.length === 0 ? null : <Dimmed size="xs">{notes.join(" ")}</Dimmed>}
    </Stack>
  );
}
