import type { Comparison, SideSummary } from "../baselines/rounds.ts";
import { type Spread, significant } from "../measure/statistics.ts";
import type { Row } from "./result.ts";

/** Rows as aligned text, one line each below the names of the columns. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

/** A comparison as two rows; the ratios are in the row of the subject. */
export function rowsOf(
  name: string,
  { baseline, subject, ratio, cpuRatio }: Comparison,
  baselineName = "Fastify",
): Row[] {
  return [
    { load: `${name}: ${baselineName}`, ...columnsOf(baseline) },
    {
      load: `${name}: Placard, over ${baselineName}`,
      ...columnsOf(subject),
      ratio: ratio === null ? "refused: the client was the limit" : range(ratio),
      "CPU ratio": range(cpuRatio),
    },
  ];
}

function columnsOf(side: SideSummary): Row {
  return {
    "req/s": Math.round(side.perSecond.median),
    "min..max": `${Math.round(side.perSecond.min)}..${Math.round(side.perSecond.max)}`,
    "p50 ms": significant(side.p50, 3),
    "p99 ms": significant(side.p99, 3),
    "CPU us/req": significant(side.cpuMicrosPerRequest.median, 3),
    "resident MB": Math.round(side.residentBytes / 1e6),
    "loop p99 ms": significant(side.delayP99Ms, 3),
    "server busy": percent(side.serverBusy),
    "client busy": percent(side.clientBusy),
  };
}

function range({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
