import type { Kysely, Transaction } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import { type AdRow, selectAds } from "./select.ts";

export type { AdRow };

interface OneAd {
  readonly workspaceId: string;
  readonly adId: string;
}

const oneAd = statement("ad", (db, place: PlaceOf<OneAd>) =>
  selectAds(db).where("ads.workspace_id", "=", place("workspaceId")).where("ads.id", "=", place("adId")),
);

const oneShownAd = statement("ad-with-field-ids", (db, place: PlaceOf<OneAd>) =>
  selectAds(db)
    .where("ads.workspace_id", "=", place("workspaceId"))
    .where("ads.id", "=", place("adId"))
    .select((select) =>
      select
        .selectFrom("fields")
        .where("fields.workspace_id", "=", place("workspaceId"))
        .select((of) => of.fn.agg<string[] | null>("array_agg", ["fields.id"]).as("ids"))
        .as("field_ids"),
    ),
);

/** An ad of the workspace, or undefined. */
export async function findAd(
  db: Kysely<Tables>,
  workspaceId: string,
  adId: string,
): Promise<AdRow | undefined> {
  if (!isId("ad", adId)) return undefined;
  const [row] = await oneAd(db, { workspaceId, adId });
  return row;
}

/** An ad of the workspace with the ids of the fields that there are, or undefined. */
export async function findShownAd(db: Kysely<Tables>, workspaceId: string, adId: string) {
  if (!isId("ad", adId)) return undefined;
  const [row] = await oneShownAd(db, { workspaceId, adId });
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

/** How many ads and how many open revisions wait for the publisher, and not for their advertiser. */
export async function countToReview(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectNoFrom((select) => [
      select
        .selectFrom("ads")
        .where("workspace_id", "=", workspaceId)
        .where("status", "=", "Pending")
        .where("rejection_note", "is", null)
        .select((count) => count.fn.countAll<number>().as("ads"))
        .$asScalar()
        .$notNull()
        .as("ads"),
      select
        .selectFrom("revisions")
        .where("workspace_id", "=", workspaceId)
        .where("note", "is", null)
        .select((count) => count.fn.countAll<number>().as("revisions"))
        .$asScalar()
        .$notNull()
        .as("revisions"),
    ])
    .executeTakeFirstOrThrow();
}

/** The ads of one advertiser, newest first. */
export async function findAdsOfAdvertiser(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  return await selectAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .orderBy("ads.created_at", "desc")
    .orderBy("ads.id", "desc")
    .execute();
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
