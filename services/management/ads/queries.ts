import type { Kysely, Transaction } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { notFound } from "#libs/http/index.ts";

/** The columns of a subscription with its tier, price and advertiser; a prepared statement needs them named. */
export const PURCHASE_COLUMNS = [
  "subscriptions.id as subscription_id",
  "subscriptions.status as subscription_status",
  "subscriptions.cancel_at_period_end",
  "subscriptions.cancel_at",
  "subscriptions.canceled_at",
  "subscriptions.ended_at",
  "subscriptions.cancellation_reason",
  "subscriptions.cancellation_feedback",
  "subscriptions.cancellation_comment",
  "subscriptions.current_period_start",
  "subscriptions.current_period_end",
  "subscriptions.paid_amount",
  "subscriptions.refund_due_since",
  "subscriptions.charge_at",
  "subscriptions.awaits_approval",
  "subscriptions.renewal_failed_at",
  "subscriptions.is_period_void",
  "subscriptions.owed_invoice",
  "subscriptions.stopped_at",
  "subscriptions.stop_bill",
  "subscriptions.client_reference",
  "subscriptions.metadata",
  "workspaces.renewal_grace_days",
  "workspaces.grace_changes",
  "subscriptions.created_at as subscription_created_at",
  "subscriptions.updated_at as subscription_updated_at",
  "tiers.id as tier_id",
  "tiers.name as tier_name",
  "tiers.weight as tier_weight",
  "prices.id as price_id",
  "prices.interval",
  "prices.interval_count",
  "prices.amount",
  "prices.currency",
  "advertisers.id as advertiser_id",
  "advertisers.name as advertiser_name",
  "advertisers.email as advertiser_email",
] as const;

type NameOf<Column> = Column extends `${string} as ${infer Name}`
  ? Name
  : Column extends `${string}.${infer Name}`
    ? Name
    : never;

/** A subscription with its tier, price and advertiser. */
export type PurchaseRow = Pick<AdRow, NameOf<(typeof PURCHASE_COLUMNS)[number]>>;

/** An ad with its subscription, tier, price and advertiser. */
export type AdRow = Awaited<ReturnType<ReturnType<typeof selectAds>["execute"]>>[number];

/** An ad of a list: without field values, which may take 64 KiB. */
export type ListedAdRow = Omit<AdRow, NameOf<(typeof VALUE_COLUMNS)[number]>>;

/** What takes the bytes of an ad. */
export const VALUE_COLUMNS = ["ads.meta", "ads.images_elsewhere", "ads.previous"] as const;

/** All ads of all workspaces in no order; the columns are named, as a prepared statement needs. */
function selectAds(db: Kysely<Tables>) {
  return selectListedAds(db).select(VALUE_COLUMNS);
}

/** As `selectAds`, without field values. */
export function selectListedAds(db: Kysely<Tables>) {
  return db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
    .select([
      "ads.id",
      "ads.workspace_id",
      "ads.name",
      "ads.website_url",
      "ads.favicon_url",
      "ads.version",
      "ads.submitted_at",
      "ads.status",
      "ads.reviewed_at",
      "ads.rejection_note",
      "ads.serving_since",
      "ads.serving_until",
      "ads.created_at",
      "ads.updated_at",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.free_until",
      "subscriptions.sync_version",
      "subscriptions.trial_end",
      ...PURCHASE_COLUMNS,
    ]);
}

/** The ads of a workspace without field values, which every joined table is held to, so that Postgres searches none of them across workspaces. */
export function selectListedAdsOf(db: Kysely<Tables>, workspaceId: string) {
  return selectListedAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("tiers.workspace_id", "=", workspaceId)
    .where("prices.workspace_id", "=", workspaceId)
    .where("advertisers.workspace_id", "=", workspaceId);
}

interface OneAd {
  readonly workspaceId: string;
  readonly adId: string;
}

const selectAd = (db: Kysely<Tables>, place: PlaceOf<OneAd>) =>
  selectAds(db).where("ads.workspace_id", "=", place("workspaceId")).where("ads.id", "=", place("adId"));

const oneAd = statement("ad", selectAd);

const oneShownAd = statement("ad-with-field-ids", (db, place: PlaceOf<OneAd>) =>
  selectAd(db, place).select((select) =>
    select
      .selectFrom("fields")
      .where("fields.workspace_id", "=", place("workspaceId"))
      .select((of) => of.fn.agg<string[] | null>("array_agg", ["fields.id"]).as("ids"))
      .as("field_ids"),
  ),
);

// Postgres locks the tables in the order of this list, and then reads both rows again.
const lockedAd = statement("locked-ad", (db, place: PlaceOf<OneAd>) =>
  selectAd(db, place).forUpdate(["subscriptions", "ads"]),
);

/** An ad of the workspace, or undefined. */
export async function findAd(db: Kysely<Tables>, workspaceId: string, adId: string) {
  if (!isId("ad", adId)) return undefined;
  const [row] = await oneAd(db, { workspaceId, adId });
  return row;
}

/** An ad of the workspace with the ids of the workspace's fields, or undefined. */
export async function findShownAd(db: Kysely<Tables>, workspaceId: string, adId: string) {
  if (!isId("ad", adId)) return undefined;
  const [row] = await oneShownAd(db, { workspaceId, adId });
  return row;
}

/** Throws 404 if the workspace has no such ad. */
export async function requireAd(db: Kysely<Tables>, workspaceId: string, adId: string): Promise<void> {
  if (!isId("ad", adId)) throw notFound("Ad");
  const row = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .select("id")
    .executeTakeFirst();
  if (row === undefined) throw notFound("Ad");
}

/** The newest ads of one advertiser, newest first, at most `most`: an agency may have thousands. */
export async function findAdsOfAdvertiser(
  db: Kysely<Tables>,
  workspaceId: string,
  advertiserId: string,
  most: number,
) {
  return await selectListedAdsOf(db, workspaceId)
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .orderBy("ads.created_at", "desc")
    .orderBy("ads.id", "desc")
    .limit(most)
    .execute();
}

/**
 * Locks an ad and its subscription until the transaction ends, so that the second of two racing changes sees the first.
 * Throws 404 if the workspace has no such ad. Locks are always taken in the order subscription, ad, workspace: any other
 * order could deadlock with a change that comes from the payment processor.
 */
export async function lockAd(trx: Transaction<Tables>, workspaceId: string, adId: string): Promise<AdRow> {
  const [ad] = isId("ad", adId) ? await lockedAd(trx, { workspaceId, adId }) : [];
  if (ad === undefined) throw notFound("Ad");
  return ad;
}

/** Writes a review to an ad that the transaction has locked. What the submission followed is no longer of interest. */
export async function recordReview(
  trx: Transaction<Tables>,
  ad: Pick<AdRow, "id" | "workspace_id">,
  review: Pick<AdRow, "status" | "reviewed_at" | "rejection_note">,
): Promise<void> {
  await trx
    .updateTable("ads")
    .set({ ...review, previous: null, updated_at: new Date() })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .execute();
}
