import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { type Order, orderKey, placeColumn } from "../api/cursor.ts";
import { inOrder, type PageRequest, readPage } from "../api/pages.ts";
import { idOrNone, isOneOf } from "../store/any-of.ts";
import { readConsistently } from "../store/consistent-read.ts";
import { selectListedAdsOf } from "./queries.ts";

const LONGEST_WAIT: Order = {
  name: "review-queue:longest-wait",
  keys: [
    orderKey(sql`coalesce(revisions.submitted_at, ads.submitted_at, ads.created_at)`, "time", "asc"),
    orderKey("ads.id", "text", "asc"),
  ],
};

const { eb: where, and, or } = expressionBuilder<Tables, "ads" | "revisions" | "subscriptions">();
const IS_LIVE = where("subscriptions.status", "not in", ENDED_STATUSES);
const IS_PENDING = and([where("ads.status", "=", "Pending"), where("ads.rejection_note", "is", null)]);
const IS_EDITED = and([where("revisions.ad_id", "is not", null), where("revisions.note", "is", null)]);

/** An ad that waits for a decision, or whose open edit (`edit_…`) does. */
export type ToReviewRow = Awaited<ReturnType<ReturnType<typeof selectQueue>["execute"]>>[number];

/** What of the queue is asked for; undefined is no condition. */
interface QueueFilter {
  readonly kind?: "ad" | "revision" | undefined;
  readonly tierId?: string | undefined;
}

/**
 * One page of what waits for the publisher and matches the filter, the longest wait first, and how many ads and edits wait
 * in all.
 */
export async function readReviewQueue(
  db: Kysely<Tables>,
  workspaceId: string,
  request: PageRequest & QueueFilter,
) {
  return await readConsistently(db, async (trx) => {
    const counts = await countToReview(trx, workspaceId);
    const isFiltered = request.kind !== undefined || request.tierId !== undefined;
    const isWaiting = await isInQueue(trx, workspaceId, request.kind);
    const select = () => selectQueue(trx, workspaceId, request.tierId).where(isWaiting);
    const total = isFiltered ? await countRows(trx, select()) : counts.ads + counts.revisions;
    const page = await readPage(trx, request, LONGEST_WAIT, {
      page: async (_at, { limit, offset, after }) => {
        const waiting = inOrder(select(), LONGEST_WAIT, after);
        const rows = await waiting.limit(limit).offset(offset).execute();
        return rows.map((row) => ({ ...row, total }));
      },
      count: async () => total,
    });
    return { counts, ...page };
  });
}

/**
 * The numbers of ads and of open revisions that wait for the publisher, not for their advertiser, on subscriptions that have
 * not ended.
 */
async function countToReview(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectNoFrom(() => [
      pendingAds(db, workspaceId)
        .select((count) => count.fn.countAll<number>().as("ads"))
        .$asScalar()
        .$notNull()
        .as("ads"),
      openEdits(db, workspaceId)
        .select((count) => count.fn.countAll<number>().as("revisions"))
        .$asScalar()
        .$notNull()
        .as("revisions"),
    ])
    .executeTakeFirstOrThrow();
}

function pendingAds(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where(IS_PENDING)
    .where(IS_LIVE);
}

function openEdits(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("revisions")
    .innerJoin("ads", "ads.id", "revisions.ad_id")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("revisions.workspace_id", "=", workspaceId)
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where(IS_EDITED)
    .where(IS_LIVE);
}

/** Whether an ad, or its open edit, waits. */
async function isInQueue(
  db: Kysely<Tables>,
  workspaceId: string,
  kind: QueueFilter["kind"],
): Promise<Expression<SqlBool>> {
  const ads = pendingAds(db, workspaceId).select("ads.id as id");
  const edits = openEdits(db, workspaceId).select("ads.id as id");
  const waiting = kind === "ad" ? ads : kind === "revision" ? edits : ads.unionAll(edits);
  const isWaiting = [...(kind === "revision" ? [] : [IS_PENDING]), ...(kind === "ad" ? [] : [IS_EDITED])];
  return await isOneOf("ads.id", waiting, () => and([or(isWaiting), IS_LIVE]));
}

async function countRows(db: Kysely<Tables>, queue: ReturnType<typeof selectQueue>): Promise<number> {
  const { total } = await db
    .selectFrom(queue.clearSelect().select("ads.id").as("queue"))
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

function selectQueue(db: Kysely<Tables>, workspaceId: string, tierId: string | undefined) {
  return selectListedAdsOf(db, workspaceId)
    .leftJoin("revisions", (join) =>
      join.onRef("revisions.ad_id", "=", "ads.id").on("revisions.workspace_id", "=", workspaceId),
    )
    .$if(tierId !== undefined, (query) => query.where("tiers.id", "=", idOrNone("tier", tierId ?? "")))
    .select([
      "revisions.name as edit_name",
      "revisions.website_url as edit_website_url",
      "revisions.submitted_at as edit_submitted_at",
      sql<boolean>`case when revisions.ad_id is null then ads.previous is not null else revisions.previous is not null end`.as(
        "is_resubmission",
      ),
      placeColumn(LONGEST_WAIT),
    ]);
}
