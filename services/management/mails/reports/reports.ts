import { z } from "zod";
import type { AdCount } from "#libs/stats-store/index.ts";
import { queueMail } from "../../jobs/mail.ts";
import type { Services } from "../../services.ts";
import { languageFor, type ReportFacts } from "../language.ts";
import { mailLinks } from "../links.ts";
import { writeMail } from "../write-mail.ts";
import { monthBefore, monthNamed } from "./month.ts";
import { claimReport, findReported, queueWorkspaceReports } from "./queries.ts";

/** On the first of the month in UTC, early; where no process ran then, within the 20 days after it. */
export const REPORT_SCHEDULE = "30 5 1 * * monthly-reports ?fill=20d&max=5";

const scheduled = z.object({ _cron: z.object({ ts: z.iso.datetime() }) });
const workspaceJob = z.object({ workspaceId: z.string(), month: z.string().regex(/^\d{4}-\d{2}$/) });

/** More ads than these are in a report's totals alone. */
const MAX_LISTED = 50;

type Reports = Pick<Services, "db" | "stats" | "publicUrl" | "unsubscribeTokens">;
type ReportedAd = Awaited<ReturnType<typeof findReported>>[number] & Pick<AdCount, "impressions" | "clicks">;

/** The job of the first of the month: queues one job for each workspace, about the month before the scheduled time. */
export async function startReports({ db }: Pick<Services, "db">, payload: unknown): Promise<void> {
  const { _cron } = scheduled.parse(payload);
  await queueWorkspaceReports(db, monthBefore(Date.parse(_cron.ts)));
}

/**
 * Queues the reports of one workspace and month: one to each advertiser whose ads were seen in it, however often and in
 * how many processes this runs. Throws `StatsStoreError` when the counts cannot be read; what was queued stays queued.
 */
export async function reportWorkspace(services: Reports, payload: unknown): Promise<void> {
  const { workspaceId, month } = workspaceJob.parse(payload);
  const { from, to } = monthNamed(month);
  const counts = await services.stats.countsByAd(workspaceId, { from, to });
  const countOf = new Map(counts.map((count) => [count.adId, count]));
  const ads = await findReported(services.db, workspaceId, [...countOf.keys()]);
  const counted = ads.flatMap((ad) => {
    const count = countOf.get(ad.id);
    return count === undefined || count.impressions + count.clicks === 0 ? [] : [{ ...ad, ...count }];
  });
  for (const theirs of Map.groupBy(counted, (ad) => ad.advertiser_id).values()) {
    await reportTo(services, workspaceId, month, theirs);
  }
}

async function reportTo(
  { db, publicUrl, unsubscribeTokens }: Reports,
  workspaceId: string,
  month: string,
  ads: readonly ReportedAd[],
): Promise<void> {
  const [first] = ads;
  if (first === undefined || first.email === null) return;
  const { advertiser_id: advertiserId, advertiser, workspace, email: to } = first;
  const unsubscribeUrl = mailLinks(publicUrl).unsubscribe(unsubscribeTokens.sign(advertiserId));
  const language = languageFor();
  const letter = language.monthlyReport({ advertiser, workspace, month, ...sumUp(ads), unsubscribeUrl });
  await db.transaction().execute(async (trx) => {
    if (!(await claimReport(trx, workspaceId, advertiserId, month))) return;
    await queueMail(trx, writeMail(language, { to, onBehalfOf: workspace, unsubscribeUrl }, letter));
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
