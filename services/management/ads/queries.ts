import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import { type PageRequest, placePage } from "../pages.ts";

/** An ad with its subscription, and with the tier, price and advertiser of that. */
export type AdRow = Awaited<ReturnType<typeof selectAds>>[number];

/** One page of a workspace's ads, newest first, of one review status or of all. */
export async function listAds(
  db: Kysely<Tables>,
  workspaceId: string,
  status: AdStatus | undefined,
  request: PageRequest,
) {
  const { total } = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? "Pending"))
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { envelope, offset } = placePage(total, request);
  const page = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? "Pending"))
    .select("id")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(envelope.perPage)
    .offset(offset)
    .execute();
  const rows = await selectAds(
    db,
    workspaceId,
    page.map(({ id }) => id),
  );
  return { envelope, rows };
}

/** An ad of the workspace, or undefined. */
export async function findAd(
  db: Kysely<Tables>,
  workspaceId: string,
  adId: string,
): Promise<AdRow | undefined> {
  if (!isId("ad", adId)) return undefined;
  const [row] = await selectAds(db, workspaceId, [adId]);
  return row;
}

/** Whether the workspace has that ad. */
export async function hasAd(db: Kysely<Tables>, workspaceId: string, adId: string): Promise<boolean> {
  if (!isId("ad", adId)) return false;
  const row = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .select("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** The ads of one advertiser, newest first. */
export async function findAdsOfAdvertiser(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  const ids = await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .select("ads.id")
    .execute();
  return await selectAds(
    db,
    workspaceId,
    ids.map(({ id }) => id),
  );
}

/**
 * Locks an ad and its subscription until the transaction ends, so that of two racing changes the second sees what the
 * first did. Undefined when the workspace has no such ad. Locks are always taken in the order subscription, ad,
 * workspace: any other order could end in a deadlock with a change that comes from the payment processor.
 */
export async function lockAd(
  trx: Transaction<Tables>,
  workspaceId: string,
  adId: string,
): Promise<AdRow | undefined> {
  const ad = await findAd(trx, workspaceId, adId);
  if (ad === undefined) return undefined;
  await trx
    .selectFrom("subscriptions")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", ad.subscription_id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  await trx
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", ad.id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  return await findAd(trx, workspaceId, adId);
}

/** What a review leaves on an ad. */
export interface ReviewOutcome {
  readonly status: AdStatus;
  readonly reviewedAt: Date | null;
  readonly rejectionNote: string | null;
}

/** Writes a review to an ad that the transaction has locked. */
export async function recordReview(
  trx: Transaction<Tables>,
  ad: Pick<AdRow, "id" | "workspace_id">,
  outcome: ReviewOutcome,
): Promise<void> {
  await trx
    .updateTable("ads")
    .set({
      status: outcome.status,
      reviewed_at: outcome.reviewedAt,
      rejection_note: outcome.rejectionNote,
      updated_at: new Date(),
    })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .execute();
}

async function selectAds(db: Kysely<Tables>, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .where("ads.workspace_id", "=", workspaceId)
    .where("ads.id", "in", ids)
    .selectAll("ads")
    .select([
      "subscriptions.status as subscription_status",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.sync_version",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.canceled_at",
      "subscriptions.cancellation_reason",
      "subscriptions.cancellation_feedback",
      "subscriptions.cancellation_comment",
      "subscriptions.current_period_start",
      "subscriptions.current_period_end",
      "subscriptions.trial_end",
      "subscriptions.paid_amount",
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
    ])
    .orderBy("ads.created_at", "desc")
    .orderBy("ads.id", "desc")
    .execute();
}
