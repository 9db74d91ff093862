import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { REPORT_METRICS } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS } from "#libs/domain/report-words.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { CountingLink } from "../components/counting-link.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { Figure, Figures } from "../components/figures.tsx";
import { formatStatsDay } from "../components/format.ts";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { ReportBar } from "./report-bar.tsx";
import { ReportChart } from "./report-chart.tsx";
import { FILTER_KINDS } from "./report-filter-search.ts";
import { ReportFilters } from "./report-filters.tsx";
import { reportQuery, type ShownReport } from "./report-query.ts";
import {
  changeReport,
  type GivenSearch,
  narrowTo,
  type ReportSearch,
  reportFile,
  reportInput,
  STEPS,
  type Step,
} from "./report-search.ts";
import { ReportTable } from "./report-table.tsx";
import { changeWords, METRIC_WORDS, metricWords, STEP_WORDS } from "./report-words.ts";

/** Impressions and clicks of any period, split, narrowed and compared. The address has the whole question. */
export function ReportsPage() {
  const { id: workspaceId } = useWorkspace();
  const search = useSearch({ from: "/signed-in/w/$workspaceId/reports" });
  const settings = useQuery(query.settings.get.queryOptions({ input: { workspaceId } }));
  if (settings.data === undefined) {
    return (
      <Page title="Reports">
        <QueryView query={settings}>{() => null}</QueryView>
      </Page>
    );
  }
  return <ZonedReport search={search} usualZone={settings.data.timeZone ?? "UTC"} />;
}

interface ZonedReportProps {
  readonly search: ReportSearch;
  readonly usualZone: string;
}

function ZonedReport({ search, usualZone }: ZonedReportProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate({ from: "/w/$workspaceId/reports" });
  const input = reportInput(workspaceId, search, search.zone ?? usualZone, Date.now());
  const report = useQuery(reportQuery(input, search.page ?? 1));
  const show = (changed: ReportSearch, resetScroll = false) =>
    void navigate({ search: changed, resetScroll });
  const change = (changed: GivenSearch) => show(changeReport(search, changed), changed.page !== undefined);
  return (
    <Page title="Reports" actions={<DownloadButton href={reportFile(input)}>Download CSV</DownloadButton>}>
      <ReportBar search={search} dates={input} usualZone={usualZone} onChange={change} />
      <ReportFilters search={search} onChange={change} />
      <QueryView query={report}>
        {(shown) => (
          <Stack gap="lg" aria-busy={report.isFetching}>
            <Totals report={shown} />
            {isEmpty(shown) ? (
              <NoEvents search={search} onChange={change} />
            ) : (
              <Section title={titleOf(shown, stepShown(shown))} text={<Notes report={shown} />}>
                {shown.times.length === 0 ? null : <ReportChart report={shown} step={stepShown(shown)} />}
                <PagedList query={report} what="row" empty={null} onPage={(page) => change({ page })}>
                  {(rows) => (
                    <ReportTable
                      rows={rows}
                      step={stepShown(shown)}
                      timeZone={shown.query.timeZone}
                      split={shown.query.groupBy}
                      sort={shown.query.sort}
                      onSort={(sort) => change({ sort })}
                      onNarrow={(dimension, value) => show(narrowTo(search, dimension, value))}
                    />
                  )}
                </PagedList>
              </Section>
            )}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

/** The answer's own granularity: while another report loads, the one before is in view. */
function stepShown({ query: { granularity } }: ShownReport): Step {
  return oneOf(STEPS, granularity) ?? "none";
}

function titleOf({ query: { groupBy } }: ShownReport, step: Step): string {
  const by = [
    ...groupBy.map((dimension) => DIMENSION_WORDS[dimension].toLowerCase()),
    ...(step === "none" ? [] : [STEP_WORDS[step].toLowerCase()]),
  ];
  return by.length === 0 ? "Whole period" : `By ${by.join(" and ")}`;
}

function isEmpty({ total, totals }: ShownReport): boolean {
  const counted = [totals.metrics, totals.comparison?.metrics].some(
    (metrics) => (metrics?.impressions ?? 0) + (metrics?.clicks ?? 0) + (metrics?.invalid ?? 0) > 0,
  );
  return total === 0 || !counted;
}

function Totals({ report: { totals } }: { readonly report: ShownReport }) {
  return (
    <Figures cols={{ base: 2, lg: 4 }} aria-label="Totals">
      {REPORT_METRICS.map((metric) => (
        <Figure
          key={metric}
          isCard
          name={METRIC_WORDS[metric]}
          value={metricWords(totals.metrics, metric)}
          hint={changeWords(totals.metrics, totals.comparison?.metrics, metric) ?? undefined}
        />
      ))}
    </Figures>
  );
}

/** The period, what it is compared with, and what a reader should know. */
function Notes({ report }: { readonly report: ShownReport }) {
  const { from, to, timeZone, comparison } = report.query;
  const period = `${span(from, to)} (${timeZone})`;
  return (
    <>
      {comparison === null
        ? `${period}.`
        : `${period}, compared with ${span(comparison.from, comparison.to)}.`}
      {report.warnings.map(({ code, message }) => (
        <span key={code}> {message}</span>
      ))}{" "}
      <CountingLink />
    </>
  );
}

function span(from: string, to: string): string {
  const first = formatStatsDay(from, true);
  return from === to ? first : `${first} to ${formatStatsDay(to, true)}`;
}

interface NoEventsProps {
  readonly search: ReportSearch;
  readonly onChange: (change: GivenSearch) => void;
}

function NoEvents({ search, onChange }: NoEventsProps) {
  const filters = FILTER_KINDS.filter(({ key }) => search[key] !== undefined);
  return (
    <Empty
      title="No impressions or clicks"
      text={
        filters.length === 0
          ? "Choose another period, or come back once ads are shown."
          : "Choose another period, or remove the filters."
      }
      {...(filters.length === 0
        ? {}
        : {
            action: (
              <Button
                variant="default"
                onClick={() => onChange(Object.fromEntries(filters.map(({ key }) => [key, ""])))}
              >
                Clear filters
              </Button>
            ),
          })}
    />
  );
}
