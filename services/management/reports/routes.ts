import type { StatsStore } from "#libs/stats-store/index.ts";
import { api, forMembers } from "../api/api.ts";
import { asCsvFile } from "../api/csv.ts";
import { placePage } from "../api/pages.ts";
import { ownerOf } from "../store/owner.ts";
import { reportCsv } from "./csv.ts";
import { namesOf, presentFigures, presentQuery, rowPresenter, warningsOf } from "./present.ts";
import { isByTime, readGroups, readRows } from "./read.ts";
import { createQueryTurns } from "./turns.ts";
import { understandReport } from "./understand.ts";

export interface ReportPorts {
  readonly stats: StatsStore;
  readonly now: () => number;
}

/** Reports, as pages and as a file. */
export const reportRoutes = ({ stats, now }: ReportPorts) => reportRoutesOf(createQueryTurns(stats), now);

const reportRoutesOf = (queriesOf: ReturnType<typeof createQueryTurns>, now: () => number) => ({
  get: forMembers(api.reports.get, async ({ input, context: { db, access } }) => {
    const report = await understandReport(db, access.workspaceId, input, now());
    const stats = queriesOf(await ownerOf(db, access.workspaceId));
    const groups = await readGroups(stats, report);
    const perBucket = groups.rows.length;
    const total = perBucket * (isByTime(report) ? report.buckets.length : 1);
    const { envelope, offset } = placePage(total, input);
    const first = perBucket === 0 ? 0 : Math.floor(offset / perBucket);
    const end = perBucket === 0 ? 0 : Math.ceil((offset + input.perPage) / perBucket);
    const rows = await readRows(stats, report, groups, first, end);
    const begin = offset - first * perBucket;
    const shown = rows.slice(begin, begin + input.perPage);
    const names = await namesOf(db, report, shown);
    const present = rowPresenter(report);
    return {
      ...envelope,
      query: presentQuery(report),
      results: shown.map((row) => present(row, names)),
      totals: presentFigures(report, groups.totals),
      warnings: warningsOf(report, groups),
    };
  }),

  export: forMembers(api.reports.export, async ({ input, context: { db, access, reply } }) => {
    const at = now();
    const report = await understandReport(db, access.workspaceId, input, at);
    const file = await reportCsv(db, queriesOf(await ownerOf(db, access.workspaceId)), report);
    asCsvFile(reply, "report", at);
    return file;
  }),
});
