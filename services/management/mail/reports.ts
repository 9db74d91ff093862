import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { AdCount, StatsStore } from "#libs/stats-store/index.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { Payloads } from "../queue/tasks.ts";
import { monthlyReport, type ReportFacts } from "./advertiser-letters.ts";
import { type MailLimitPorts, queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { claimReport, findReported } from "./report-queries.ts";
import type { UnsubscribeTokens } from "./unsubscribe.ts";

/** Further ads are in a report's totals only. */
const MAX_LISTED = 50;

export interface ReportPorts extends MailLimitPorts {
  readonly db: Kysely<Tables>;
  readonly stats: Pick<StatsStore, "countsByAd">;
  readonly publicUrl: URL;
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, "sign">;
}

type ReportedAd = Awaited<ReturnType<typeof findReported>>[number] & Pick<AdCount, "impressions" | "clicks">;

/** Queues one job for each workspace that had an ad in the month before the scheduled time. */
export async function startReports(
  db: Kysely<Tables>,
  { _cron }: Payloads["monthly-reports"],
): Promise<void> {
  const { name: month, to } = monthBefore(Date.parse(_cron.ts));
  await db.transaction().execute(async (trx) => {
    const publishers = await trx
      .selectFrom("ads")
      .where("created_at", "<", sql<Date>`${to}::date + interval '1 day'`)
      .select("workspace_id")
      .distinct()
      .execute();
    for (const { workspace_id: workspaceId } of publishers) {
      await enqueue(trx, "workspace-reports", { workspaceId, month });
    }
  });
}

/**
 * Queues the reports of one workspace and month: one to each advertiser whose ads had events in it, even if several
 * processes run this several times. Throws `StatsStoreError` when the counts cannot be read; what was queued stays queued.
 */
export async function reportWorkspace(
  ports: ReportPorts,
  { workspaceId, month }: Payloads["workspace-reports"],
): Promise<void> {
  const { from, to } = monthNamed(month);
  const counts = await ports.stats.countsByAd(workspaceId, { from, to });
  const countOf = new Map(counts.map((count) => [count.adId, count]));
  const ads = await findReported(ports.db, workspaceId, [...countOf.keys()]);
  const counted = ads.flatMap((ad) => {
    const count = countOf.get(ad.id);
    return count === undefined || count.impressions + count.clicks === 0 ? [] : [{ ...ad, ...count }];
  });
  for (const theirs of Map.groupBy(counted, (ad) => ad.advertiser_id).values()) {
    await reportTo(ports, workspaceId, month, theirs);
  }
}

async function reportTo(
  ports: ReportPorts,
  workspaceId: string,
  month: string,
  ads: readonly ReportedAd[],
): Promise<void> {
  const { db, publicUrl, unsubscribeTokens } = ports;
  const [first] = ads;
  if (first === undefined || first.email === null) return;
  const { advertiser_id: advertiserId, advertiser, workspace } = first;
  const unsubscribeUrl = mailLinks(publicUrl).unsubscribe(unsubscribeTokens.sign(advertiserId));
  const letter = monthlyReport({ advertiser, workspace, month, ...sumUp(ads), unsubscribeUrl });
  await db.transaction().execute(async (trx) => {
    if (!(await claimReport(trx, workspaceId, advertiserId, month))) return;
    await queueToAdvertiser(trx, ports, "report", first, letter, { unsubscribeUrl });
  });
}

function sumUp(ads: readonly ReportedAd[]): Pick<ReportFacts, "ads" | "unlisted" | "totals"> {
  const ordered = ads.toSorted((a, b) => b.impressions - a.impressions || b.clicks - a.clicks);
  const total = (key: "impressions" | "clicks") => ads.reduce((sum, ad) => sum + ad[key], 0);
  return {
    ads: ordered.slice(0, MAX_LISTED),
    unlisted: Math.max(0, ads.length - MAX_LISTED),
    totals: { impressions: total("impressions"), clicks: total("clicks") },
  };
}

/** A month of UTC with its first and last day, as `2026-10`, `2026-10-01`, `2026-10-31`. */
interface Month {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The month before the one of an instant, in milliseconds since the epoch. */
export function monthBefore(instant: number): Month {
  const date = new Date(instant);
  const day = (number: number, months: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, number)).toISOString().slice(0, 10);
  const from = day(1, -1);
  return { name: from.slice(0, 7), from, to: day(0, 0) };
}

/** The month of a name such as `2026-10`. */
export function monthNamed(name: string): Month {
  const [year = Number.NaN, month = Number.NaN] = name.split("-").map(Number);
  return monthBefore(Date.UTC(year, month, 1));
}
