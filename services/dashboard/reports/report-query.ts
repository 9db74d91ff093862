import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Report, ReportRow } from "#libs/contract/reports.ts";
import { OLDEST_EVENT_MS } from "#libs/domain/server-events.ts";
import { api, query } from "../api/client.ts";
import { isOver } from "./report-periods.ts";
import type { ReportInput } from "./report-search.ts";

/** A report as its page shows it. */
export interface ShownReport extends Pick<Report, "query" | "totals" | "warnings"> {
  /** The rows of the page of the table. */
  readonly items: readonly ReportRow[];
  /** All rows of a report that is split by time alone, for its chart; else empty. */
  readonly times: readonly ReportRow[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  readonly pageCount: number;
}

const PER_PAGE = 25;
const PER_REQUEST = 100;
const REFRESH_MS = 30_000;

/**
 * A page of a report; one that is split by time alone is loaded whole, at most 1,096 rows. Loaded again until no event of its period can
 * be reported any more.
 */
export function reportQuery(input: ReportInput, page: number) {
  const isWhole = input.groupBy.length === 0;
  return queryOptions({
    queryKey: [...query.reports.key(), "shown", input, page],
    queryFn: ({ signal }) => (isWhole ? loadWhole(input, page, signal) : loadPage(input, page, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isOver(data.query, Date.now() - OLDEST_EVENT_MS) ? false : REFRESH_MS,
  });
}

async function loadPage(input: ReportInput, page: number, signal: AbortSignal): Promise<ShownReport> {
  const { results, ...answer } = await api.reports.get({ ...input, page, perPage: PER_PAGE }, { signal });
  return { ...answer, items: results, times: [] };
}

async function loadWhole(input: ReportInput, asked: number, signal: AbortSignal): Promise<ShownReport> {
  const first = await api.reports.get({ ...input, page: 1, perPage: PER_REQUEST }, { signal });
  const times = [...first.results];
  for (let page = 2; page <= first.pageCount; page += 1) {
    const { results } = await api.reports.get({ ...input, page, perPage: PER_REQUEST }, { signal });
    times.push(...results);
  }
  const pageCount = Math.max(1, Math.ceil(times.length / PER_PAGE));
  const page = Math.min(asked, pageCount);
  return {
    query: first.query,
    totals: first.totals,
    warnings: first.warnings,
    items: times.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    times,
    total: times.length,
    page,
    perPage: PER_PAGE,
    pageCount,
  };
}
