import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type EmailedPeriod, periodNamed, periodsDue } from "#libs/domain/report-emails.ts";
import { dateOfDay, dayOfDate, zoneNamed } from "#libs/domain/report-zone.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import {
  isWithinLimit,
  type MailLimitPorts,
  queueLetter,
  queueToAdvertiser,
  REPORTS_RATE,
} from "../../mail/delivery.ts";
import { recordDrop } from "../../mail/dropped.ts";
import { mailLinks } from "../../mail/links.ts";
import { advertiserReport, memberReport } from "../../mail/report-letters.ts";
import type { UnsubscribeTokens } from "../../mail/unsubscribe.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { type CountPorts, type CountRequest, countPeriod } from "./count.ts";
import {
  claimForAdvertiser,
  claimForMember,
  findAdsDue,
  findMembersDue,
  findReporting,
  listReporting,
  listTimeZones,
} from "./queries.ts";

/** Ads in the report of an advertiser; further ones are in its totals only. */
const MOST_ADS = 50;
/** Ads in the report of a member. */
const TOP_ADS = 5;

export interface ReportEmailPorts extends CountPorts, MailLimitPorts {
  readonly stats: CountPorts["stats"] & Pick<StatsStore, "countsByAd">;
  readonly publicUrl: URL;
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, "sign">;
}

type DueAd = Awaited<ReturnType<typeof findAdsDue>>[number];
type DueReport = Pick<CountRequest, "workspaceId" | "period" | "timeZone">;

/** Queues a job for each workspace whose local time reached 06:00 of a report day in the hour before the scheduled time. */
export async function startReports(db: Kysely<Tables>, { _cron }: Payloads["report-emails"]): Promise<void> {
  const due = new Map<string, { readonly period: EmailedPeriod; readonly timeZones: (string | null)[] }>();
  for (const timeZone of await listTimeZones(db)) {
    const zone = zoneNamed(timeZone ?? "UTC");
    for (const period of zone === null ? [] : periodsDue(zone, Date.parse(_cron.ts))) {
      const { timeZones = [] } = due.get(period.name) ?? {};
      due.set(period.name, { period, timeZones: [...timeZones, timeZone] });
    }
  }
  await db.transaction().execute(async (trx) => {
    for (const { period, timeZones } of due.values()) {
      for (const workspaceId of await listReporting(trx, timeZones, period.kind)) {
        await enqueue(trx, "workspace-reports", { workspaceId, period: period.name });
      }
    }
  });
}

/**
 * Queues the reports of one workspace and period, one to each reader, even if several processes run this several times. None where
 * nothing was counted. Throws `StatsStoreError` when the counts cannot be read; what was queued stays queued.
 */
export async function reportWorkspace(
  ports: ReportEmailPorts,
  job: Payloads["workspace-reports"],
): Promise<void> {
  const { workspaceId } = job;
  const period = periodNamed("period" in job ? job.period : job.month);
  const workspace = await findReporting(ports.db, workspaceId);
  if (period === null || workspace === undefined) return;
  const due: DueReport = { workspaceId, period, timeZone: workspace.time_zone ?? "UTC" };
  await sendToMembers(ports, due, workspace.name);
  const ads = await findAdsDue(ports.db, workspaceId, period, await adsWithEvents(ports, due));
  for (const [advertiserId, theirs] of Map.groupBy(ads, (ad) => ad.advertiser_id)) {
    await sendToAdvertiser(ports, { ...due, splits: workspace.advertiser_splits }, advertiserId, theirs);
  }
}

/** The ads with events on the UTC days of the period or one beside them: local days are not UTC days. */
async function adsWithEvents(ports: ReportEmailPorts, { workspaceId, period }: DueReport): Promise<string[]> {
  const aside = (date: string, days: number) => dateOfDay((dayOfDate(date) ?? 0) + days);
  const days = { from: aside(period.from, -1), to: aside(period.to, 1) };
  return (await ports.stats.countsByAd(workspaceId, days)).map(({ adId }) => adId);
}

async function sendToMembers(ports: ReportEmailPorts, due: DueReport, workspace: string): Promise<void> {
  const { db, publicUrl, unsubscribeTokens } = ports;
  const { workspaceId, period } = due;
  const members = await findMembersDue(db, workspaceId, period);
  if (members.length === 0) return;
  const counted = await countPeriod(ports, {
    ...due,
    mostAds: TOP_ADS,
    splits: ["country", "placement"],
    hidesFew: false,
  });
  if (counted === null) return;
  const links = mailLinks(publicUrl);
  const url = links.report(workspaceId, { ...period, timeZone: counted.timeZone });
  for (const { id } of members) {
    const unsubscribeUrl = links.unsubscribe(unsubscribeTokens.sign(id));
    const about = { workspaceId, recipient: "publisher", kind: "report" } as const;
    await db.transaction().execute(async (trx) => {
      const member = await claimForMember(trx, id, period);
      if (member === undefined) return;
      const { name, email } = member;
      const letter = memberReport({ ...counted, workspace, member: name, period, url, unsubscribeUrl });
      if (await isWithinLimit(ports, REPORTS_RATE, email, { workspaceId }))
        await queueLetter(trx, { to: email, about, unsubscribeUrl }, letter);
      else await recordDrop(trx, about, "limit");
    });
  }
}

async function sendToAdvertiser(
  ports: ReportEmailPorts,
  { splits, ...due }: DueReport & Pick<CountRequest, "splits">,
  advertiserId: string,
  ads: readonly DueAd[],
): Promise<void> {
  const { db, publicUrl, unsubscribeTokens } = ports;
  const request = { ...due, splits, ads: ads.map(({ id }) => id), mostAds: MOST_ADS, hidesFew: true };
  const counted = await countPeriod(ports, request);
  if (counted === null) return;
  const { workspaceId, period } = due;
  const links = mailLinks(publicUrl);
  const unsubscribeUrl = links.unsubscribe(unsubscribeTokens.sign(advertiserId));
  const top = ads.find(({ id }) => id === counted.topAd);
  const url =
    top === undefined || top.session_id === null || top.serving_since === null
      ? null
      : links.reportOfAd(workspaceId, top.session_id, period);
  await db.transaction().execute(async (trx) => {
    const advertiser = await claimForAdvertiser(trx, advertiserId, period);
    if (advertiser === undefined) return;
    const { name, workspace } = advertiser;
    const letter = advertiserReport({ ...counted, advertiser: name, workspace, period, url, unsubscribeUrl });
    await queueToAdvertiser(trx, ports, "report", advertiser, letter, { unsubscribeUrl });
  });
}
