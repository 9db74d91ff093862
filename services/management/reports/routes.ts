import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { api, forMembers } from "../api/api.ts";
import { asCsvFile } from "../api/csv.ts";
import { placePage } from "../api/pages.ts";
import { inStatsTurn } from "../api/turns.ts";
import { heldBytesOf, reportCsv } from "./csv.ts";
import { countAdvertisers } from "./emails/queries.ts";
import { namesOf, presentFigures, presentQuery, rowPresenter, warningsOf } from "./present.ts";
import { isByTime, type ReportStats, readGroups, readRows } from "./read.ts";
import { type Report, understandReport } from "./understand.ts";

export interface ReportPorts {
  readonly stats: StatsStore;
  readonly now: () => number;
}

/** Reports, as pages and as a file. */
export const reportRoutes = ({ stats, now }: ReportPorts) => ({
  get: forMembers(api.reports.get, ({ input, context: { db, access, reply } }) =>
    inStatsTurn(db, access.workspaceId, reply.raw, async () => {
      const report = await understandReport(db, stats, access.workspaceId, input, now());
      return await readPage(db, stats, report, input);
    }),
  ),

  readers: forMembers(api.reports.readers, async ({ context: { db, access } }) => ({
    advertisers: await countAdvertisers(db, access.workspaceId),
  })),

  export: forMembers(api.reports.export, async ({ input, context: { db, access, reply } }) => {
    const at = now();
    // With its first part: a file that waited for that would hold its groups, and be weighed by nobody.
    const { file, heldBytes } = await inStatsTurn(db, access.workspaceId, reply.raw, async () => {
      const report = await understandReport(db, stats, access.workspaceId, input, at);
      const groups = await readGroups(stats, report);
      return {
        file: await reportCsv(db, stats, report, groups),
        heldBytes: heldBytesOf(report, groups),
      };
    });
    asCsvFile(reply, "report", at);
    reply.request.heldBytes = heldBytes;
    return file;
  }),
});

async function readPage(
  db: Kysely<Tables>,
  stats: ReportStats,
  report: Report,
  page: Parameters<typeof placePage>[1],
) {
  const groups = await readGroups(stats, report);
  const perBucket = groups.rows.length;
  const total = perBucket * (isByTime(report) ? report.buckets.length : 1);
  const { envelope, offset } = placePage(total, page);
  const first = perBucket === 0 ? 0 : Math.floor(offset / perBucket);
  const end = perBucket === 0 ? 0 : Math.ceil((offset + page.perPage) / perBucket);
  const rows = await readRows(stats, report, groups, first, end);
  const begin = offset - first * perBucket;
  const shown = rows.slice(begin, begin + page.perPage);
  const names = await namesOf(db, report, shown);
  const present = rowPresenter(report);
  return {
    ...envelope,
    query: presentQuery(report),
    results: shown.map((row) => present(row, names)),
    totals: presentFigures(report, groups.totals),
    warnings: warningsOf(report, groups),
  };
}
