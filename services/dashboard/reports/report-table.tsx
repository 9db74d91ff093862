import { Anchor, Table, UnstyledButton } from "@mantine/core";
import type { ReportRow } from "#libs/contract/reports.ts";
import { REPORT_METRICS, type ReportDimension, type ReportMetric } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS } from "#libs/domain/report-words.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { Icon } from "../components/icon.tsx";
import type { Step } from "./report-search.ts";
import { changeWords, METRIC_WORDS, metricWords, rowValue, timeWords } from "./report-words.ts";
import classes from "./reports.module.css";

interface ReportTableProps {
  readonly rows: readonly ReportRow[];
  readonly step: Step;
  readonly timeZone: string;
  readonly split: readonly ReportDimension[];
  readonly sort: ReportMetric;
  readonly onSort: (metric: ReportMetric) => void;
  readonly onNarrow: (dimension: ReportDimension, value: string) => void;
}

/** The rows of a report. A click on a value narrows the report to it. */
export function ReportTable({ rows, step, timeZone, split, sort, onSort, onNarrow }: ReportTableProps) {
  const hasTime = step !== "none";
  return (
    <section
      className={classes.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard can do as well
      tabIndex={0}
      aria-label="Table of the report"
    >
      <Table
        aria-label="Report"
        className={`figures ${classes.table}`}
        verticalSpacing={6}
        horizontalSpacing="xs"
      >
        <Table.Thead>
          <Table.Tr>
            {hasTime ? <Table.Th>{step === "hour" ? "Time" : "Date"}</Table.Th> : null}
            {split.map((dimension) => (
              <Table.Th key={dimension}>{DIMENSION_WORDS[dimension]}</Table.Th>
            ))}
            {!hasTime && split.length === 0 ? <Table.Th>Period</Table.Th> : null}
            {REPORT_METRICS.map((metric) => (
              <MetricHeading
                key={metric}
                metric={metric}
                isSorted={sort === metric}
                onSort={split.length === 0 ? null : onSort}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row, split)}>
              {hasTime ? (
                <Table.Th scope="row">{timeWords(row.dimensions.time ?? "", step, timeZone)}</Table.Th>
              ) : null}
              {split.map((dimension) => (
                <ValueCell key={dimension} row={row} dimension={dimension} onNarrow={onNarrow} />
              ))}
              {!hasTime && split.length === 0 ? <Table.Th scope="row">Whole period</Table.Th> : null}
              {REPORT_METRICS.map((metric) => (
                <Table.Td key={metric} className={classes.number ?? ""}>
                  {metricWords(row.metrics, metric)}
                  <Change row={row} metric={metric} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function keyOf(row: ReportRow, split: readonly ReportDimension[]): string {
  return [row.dimensions.time, ...split.map((dimension) => rowValue(row, dimension)?.value)].join(" ");
}

interface HeadingProps {
  readonly metric: ReportMetric;
  readonly isSorted: boolean;
  /** Null if there is nothing to sort: times have their own order. */
  readonly onSort: ((metric: ReportMetric) => void) | null;
}

function MetricHeading({ metric, isSorted, onSort }: HeadingProps) {
  if (onSort === null) return <Table.Th className={classes.number ?? ""}>{METRIC_WORDS[metric]}</Table.Th>;
  return (
    <Table.Th className={classes.number ?? ""} aria-sort={isSorted ? "descending" : "none"}>
      <UnstyledButton className={classes.sort ?? ""} onClick={() => onSort(metric)}>
        {METRIC_WORDS[metric]}
        <Icon name={isSorted ? "chevron-down" : "selector"} size={14} />
      </UnstyledButton>
    </Table.Th>
  );
}

interface ValueCellProps {
  readonly row: ReportRow;
  readonly dimension: ReportDimension;
  readonly onNarrow: (dimension: ReportDimension, value: string) => void;
}

function ValueCell({ row, dimension, onNarrow }: ValueCellProps) {
  const found = rowValue(row, dimension);
  return (
    <Table.Td className={classes.value ?? ""}>
      {found === null ? (
        "–"
      ) : (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          title="Show only this"
          onClick={() => onNarrow(dimension, found.value)}
        >
          <bdi dir="auto">{found.words}</bdi>
        </Anchor>
      )}
    </Table.Td>
  );
}

function Change({ row, metric }: { readonly row: ReportRow; readonly metric: ReportMetric }) {
  const words = changeWords(row.metrics, row.comparison?.metrics, metric);
  return words === null ? null : <Dimmed size="xs">{words}</Dimmed>;
}
