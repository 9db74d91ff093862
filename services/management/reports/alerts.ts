import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type AdAlert, alertsOf } from "#libs/domain/ad-alerts.ts";
import { QUARTER_MS } from "#libs/domain/report-buckets.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { adAlertNotice } from "../mail/alert-letter.ts";
import { mailLinks } from "../mail/links.ts";
import { type MailPorts, mailPublisher } from "../mail/to-publisher.ts";

const KIND: PublisherMail = "adAlert";
/** Workspaces per query. */
const PAGE = 100;
const HOUR_MS = 60 * 60_000;

interface AlertPorts extends MailPorts {
  readonly db: Kysely<Tables>;
  readonly stats: Pick<StatsStore, "reportCounts">;
  readonly now: () => number;
}

interface Watched {
  readonly id: string;
  readonly name: string;
  readonly alert_hours: number;
  readonly alert_invalid_percent: number;
}

/**
 * Emails publishers about live ads that nobody sees or whose traffic is mostly invalid: once, and again if that ends and comes back.
 * Throws `StatsStoreError` when the counts cannot be read; what was queued stays queued.
 */
export async function sendAlerts(ports: AlertPorts): Promise<void> {
  let after = "";
  for (;;) {
    const page = await watchedWorkspaces(ports.db, after);
    for (const workspace of page) await sendAlertsOf(ports, workspace);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Workspaces with approved ads. */
async function watchedWorkspaces(db: Kysely<Tables>, after: string): Promise<readonly Watched[]> {
  return await db
    .selectFrom("workspaces")
    .where("id", ">", after)
    .where("suspended_at", "is", null)
    .where("erasing_since", "is", null)
    .where(sql<boolean>`not ${KIND} = any(muted_mails)`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("ads")
          .whereRef("ads.workspace_id", "=", "workspaces.id")
          .where("ads.status", "=", "Approved")
          .select("ads.id"),
      ),
    )
    .select(["id", "name", "alert_hours", "alert_invalid_percent"])
    .orderBy("id")
    .limit(PAGE)
    .execute();
}

async function sendAlertsOf(ports: AlertPorts, workspace: Watched): Promise<void> {
  const { db, stats, publicUrl } = ports;
  const { id: workspaceId, alert_hours: hours, alert_invalid_percent: invalidPercent } = workspace;
  const now = ports.now();
  const quarter = Math.floor(now / QUARTER_MS) * QUARTER_MS;
  const from = quarter - hours * HOUR_MS;
  const ads = await adsLiveSince(db, workspaceId, from, now);
  const counts =
    ads.length === 0
      ? []
      : await stats.reportCounts(
          {
            workspaceId,
            from,
            until: quarter + QUARTER_MS,
            groupBy: ["ad"],
            where: [{ by: "ad", is: true, values: ads.map(({ id }) => id) }],
            // Uncorrected: the publisher knows of the days they corrected, and the ads were seen.
            corrections: [],
          },
          ads.length,
        );
  const counted = new Map(counts.map((count) => [count.keys[0] ?? "", count]));
  const alerts = alertsOf(ads, counted, invalidPercent);
  await db.transaction().execute(async (trx) => {
    const news = new Set(await noteAlerts(trx, workspaceId, alerts));
    if (news.size === 0) return;
    const namesOf = (alert: AdAlert) =>
      ads.filter(({ id }) => news.has(id) && alerts.get(id) === alert).map(({ name }) => name);
    const links = mailLinks(publicUrl);
    const only = news.size === 1 ? [...news][0] : undefined;
    const letter = adAlertNotice({
      workspace: workspace.name,
      hours,
      invalidPercent,
      unseen: namesOf("unseen"),
      invalid: namesOf("invalid"),
      isAllUnseen: ads.every(({ id }) => alerts.get(id) === "unseen"),
      url: only === undefined ? links.listOf(workspaceId, KIND) : links.reviewAd(workspaceId, only),
    });
    await mailPublisher(trx, ports, workspaceId, KIND, letter);
  });
}

/** The ads that have been live from then until now. */
async function adsLiveSince(db: Kysely<Tables>, workspaceId: string, from: number, now: number) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .where("ads.workspace_id", "=", workspaceId)
    .where("ads.status", "=", "Approved")
    .where("ads.serving_since", "<=", new Date(from))
    .where((where) =>
      where.or([where("ads.serving_until", "is", null), where("ads.serving_until", ">", new Date(now))]),
    )
    .select(["ads.id", "ads.name", "tiers.weight"])
    .orderBy("ads.created_at")
    .execute();
}

/** Notes the alerts of now in place of earlier ones. Returns the ads whose alert is new. */
async function noteAlerts(
  trx: Transaction<Tables>,
  workspaceId: string,
  alerts: ReadonlyMap<string, AdAlert>,
): Promise<readonly string[]> {
  const adIds = [...alerts.keys()];
  await trx
    .deleteFrom("ad_alerts")
    .where("workspace_id", "=", workspaceId)
    .where(sql<boolean>`not ad_id = any(${adIds})`)
    .execute();
  const { rows } = await sql<{ ad_id: string }>`
    insert into ad_alerts (workspace_id, ad_id, alert)
    select ${workspaceId}, now.ad_id, now.alert from unnest(${adIds}::text[], ${[...alerts.values()]}::text[]) as now (ad_id, alert)
    join ads on ads.id = now.ad_id
    on conflict (ad_id) do update set alert = excluded.alert where ad_alerts.alert <> excluded.alert
    returning ad_id`.execute(trx);
  return rows.map((row) => row.ad_id);
}
