import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import { FairTurns, QueuesByKey } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { unavailable } from "#libs/http/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { api, forMembers } from "../api/api.ts";
import { asCsvFile } from "../api/csv.ts";
import { placePage } from "../api/pages.ts";
import { ownerOf } from "../store/owner.ts";
import { reportCsv } from "./csv.ts";
import { namesOf, presentFigures, presentQuery, rowPresenter, warningsOf } from "./present.ts";
import { isByTime, type ReportStats, readGroups, readRows } from "./read.ts";
import { type Report, understandReport } from "./understand.ts";

export interface ReportPorts {
  readonly stats: StatsStore;
  readonly now: () => number;
}

/** A report of a large workspace has ClickHouse at work for a second, and needs memory for its groups. */
const REPORTS_AT_A_TIME = 4;
/** Files of an owner that are sent at a time: each keeps its groups until it is read. */
const FILES_OF_OWNER = 2;

/** Reports, as pages and as a file. What one owner of workspaces asks is worked on after each other. */
export const reportRoutes = ({ stats, now }: ReportPorts) => {
  const turns = new FairTurns(REPORTS_AT_A_TIME, null);
  const files = new QueuesByKey({ atOnce: FILES_OF_OWNER });
  return {
    get: forMembers(api.reports.get, async ({ input, context: { db, access, reply } }) =>
      turns.run(await ownerOf(db, access.workspaceId), async () => {
        requireReader(reply);
        const report = await understandReport(db, access.workspaceId, input, now());
        return await readPage(db, stats, report, input);
      }),
    ),

    export: forMembers(api.reports.export, async ({ input, context: { db, access, reply } }) => {
      const owner = await ownerOf(db, access.workspaceId);
      return await untilSent(files, owner, reply.raw, async () => {
        const at = now();
        const [report, groups] = await turns.run(owner, async () => {
          requireReader(reply);
          const understood = await understandReport(db, access.workspaceId, input, at);
          return [understood, await readGroups(stats, understood)] as const;
        });
        const file = await reportCsv(db, stats, report, groups);
        asCsvFile(reply, "report", at);
        return file;
      });
    }),
  };
};

/** Throws if nobody waits for the answer any more. */
function requireReader({ raw }: FastifyReply): void {
  if (raw.closed) throw unavailable(1_000);
}

/** The result of work that keeps its place in the queue until the answer is sent, or its connection has closed. */
async function untilSent<T>(
  queues: QueuesByKey,
  key: string,
  answer: ServerResponse,
  work: () => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  void queues.run(key, async () => {
    try {
      resolve(await work());
    } catch (error) {
      reject(error);
      return;
    }
    if (!answer.closed) await new Promise((closed) => answer.once("close", closed));
  });
  return await promise;
}

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
