import { type ExpressionBuilder, expressionBuilder, type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { AdvertiserOrder } from "#libs/domain/list-orders.ts";
import { DAYS_PER_MONTH } from "#libs/domain/period.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { type Charged, findCharged, refundedOf } from "../../billing/ledger/queries.ts";
import { anyOf } from "../../store/any-of.ts";
import { containing } from "../../store/like-pattern.ts";
import { isChangedAdvertiser } from "../changed.ts";
import { isSubscription } from "../subscription-filter.ts";

/** The advertisers of a search, and their order. */
export interface AdvertiserFilter {
  /** Part of a name or email address, in any case; blank for all. */
  readonly search: string;
  /** Those with at least one such subscription. */
  readonly subscription?: SubscriptionFilter | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly updatedSince?: string | undefined;
  readonly sort: AdvertiserOrder;
  /** The workspace's currency, in which sorts by amount compare. */
  readonly currency: string;
}

/** One page of a workspace's advertisers. Any order but the newest first reads all advertisers that match. */
export async function listAdvertisers(
  db: Kysely<Tables>,
  workspaceId: string,
  { search, subscription, ids, updatedSince, sort, currency }: AdvertiserFilter,
  request: PageRequest,
) {
  const pattern = containing(search);
  const hasChanged = await isChangedAdvertiser("advertisers.id", db, workspaceId, updatedSince);
  return await readPageOf(
    db,
    request,
    orderOf(sort, workspaceId, currency),
    (at) =>
      at
        .selectFrom("advertisers")
        .where("workspace_id", "=", workspaceId)
        .$if(search !== "", (query) =>
          query.where((where) =>
            where.or([where("name", "ilike", pattern), where("email", "ilike", pattern)]),
          ),
        )
        .$if(ids !== undefined, (query) => query.where("id", "=", anyOf("advertiser", ids ?? [])))
        .where(hasChanged)
        .$if(subscription !== undefined, (query) =>
          query.where((where) =>
            where.exists(
              where
                .selectFrom("subscriptions")
                .where("subscriptions.workspace_id", "=", workspaceId)
                .whereRef("subscriptions.advertiser_id", "=", "advertisers.id")
                .where((one) => isSubscription(one, subscription))
                .select("subscriptions.id"),
            ),
          ),
        ),
    (found, columns) => found.selectAll().select(columns),
  );
}

const newest = [
  orderKey("advertisers.created_at", "time", "desc"),
  orderKey("advertisers.id", "text", "desc"),
];

function orderOf(sort: AdvertiserFilter["sort"], workspaceId: string, currency: string): Order {
  switch (sort) {
    case "newest":
      return { name: "advertisers:newest", keys: newest };
    case "oldest":
      return {
        name: "advertisers:oldest",
        keys: [orderKey("advertisers.created_at", "time", "asc"), orderKey("advertisers.id", "text", "asc")],
      };
    case "name":
      return {
        name: "advertisers:name",
        keys: [orderKey(sql`lower(advertisers.name)`, "text", "asc"), ...newest],
      };
    default: {
      const amount = amountOf[sort](expressionBuilder<Tables, "advertisers">(), workspaceId, currency);
      // No amount is below 0, so those without one come last.
      const known = sql`coalesce((${amount}), -1)`;
      return { name: sort, keys: [orderKey(known, "number", "desc"), ...newest], isMoving: true };
    }
  }
}

type OfAdvertiser = ExpressionBuilder<Tables, "advertisers">;

/** The amounts that a list is ordered by, null for none; shown are those of the domain, which are exact. */
const amountOf = {
  monthly: (of: OfAdvertiser, workspaceId: string, currency: string) =>
    of
      .selectFrom("subscriptions")
      .innerJoin("prices", "prices.id", "subscriptions.price_id")
      .where("subscriptions.workspace_id", "=", workspaceId)
      .where("prices.workspace_id", "=", workspaceId)
      .whereRef("subscriptions.advertiser_id", "=", "advertisers.id")
      .where("subscriptions.status", "in", ["Active", "Trialing"])
      .where("prices.currency", "=", currency)
      .select(
        sql<number>`sum(prices.amount / prices.interval_count::float8 / case prices.interval
        when 'Day' then ${1 / DAYS_PER_MONTH}::float8 when 'Week' then ${7 / DAYS_PER_MONTH}::float8
        when 'Year' then 12 else 1 end)`.as("amount"),
      ),
  lifetime: (of: OfAdvertiser, workspaceId: string, currency: string) =>
    invoicesOf(of, workspaceId, currency)
      .where("invoices.status", "=", "paid")
      .select((select) =>
        sql<number>`sum(invoices.amount_paid - coalesce(${refundedOf(select, workspaceId)}, 0))`.as("amount"),
      ),
  unpaid: (of: OfAdvertiser, workspaceId: string, currency: string) =>
    invoicesOf(of, workspaceId, currency).where("invoices.status", "=", "open").select(OWED.as("amount")),
};

/** What is still owed on open invoices. */
const OWED = sql<number>`sum(greatest(invoices.amount_due - invoices.amount_paid, 0))::float8`;

function invoicesOf(of: OfAdvertiser, workspaceId: string, currency: string) {
  return of
    .selectFrom("invoices")
    .where("invoices.workspace_id", "=", workspaceId)
    .whereRef("invoices.advertiser_id", "=", "advertisers.id")
    .where("invoices.currency", "=", currency);
}

/** What is owed on open invoices, by currency: by each of the advertisers. */
export async function findUnpaid(db: Kysely<Tables>, workspaceId: string, advertiserIds: string[]) {
  return await db
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "open")
    .where("advertiser_id", "=", sql<string>`any(${advertiserIds}::text[])`)
    .groupBy(["advertiser_id", "currency"])
    .select(["advertiser_id", "currency", OWED.as("amount")])
    .execute();
}

/** What is owed on open invoices in the whole workspace, by currency; only amounts above zero. */
export async function findUnpaidInAll(db: Kysely<Tables>, workspaceId: string) {
  const rows = await db
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "open")
    .groupBy("currency")
    .orderBy("currency")
    .select(["currency", OWED.as("amount")])
    .execute();
  return rows.filter(({ amount }) => amount > 0);
}

/** An advertiser, or undefined when the workspace has none with that id. */
export async function findAdvertiser(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  if (!isId("advertiser", advertiserId)) return undefined;
  return await db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", advertiserId)
    .selectAll()
    .executeTakeFirst();
}

/** Subscriptions read at a time, so that others have their turn where there are very many. */
export const AT_ONCE = 2_000;

/** What `toFacts` makes of the advertisers' subscriptions with their prices, charges and ad, if one was submitted. */
export async function findSubscriptions<Facts>(
  db: Kysely<Tables>,
  workspaceId: string,
  advertiserIds: string[],
  toFacts: (row: SubscriptionRow) => Facts,
): Promise<Facts[]> {
  const found: Facts[] = [];
  let before: string | undefined;
  for (;;) {
    const rows = await selectSubscriptions(db, workspaceId)
      .where("subscriptions.advertiser_id", "=", sql<string>`any(${advertiserIds}::text[])`)
      .orderBy("subscriptions.id", "desc")
      .$if(before !== undefined, (query) => query.where("subscriptions.id", "<", before ?? ""))
      .limit(AT_ONCE)
      .execute();
    const ids = rows.map(({ id }) => id);
    const charged = await findCharged(db, workspaceId, ids);
    for (const row of rows) found.push(toFacts({ ...row, charged: charged.get(row.id) ?? null }));
    if (rows.length < AT_ONCE) return found;
    before = ids.at(-1);
  }
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>["execute"]>>[number];

/** A subscription of an advertiser with its price, charges and ad. */
export interface SubscriptionRow extends Selected {
  readonly charged: Charged | null;
}

/** The subscriptions of a workspace, with what their billing facts are made of, but without their charges. */
export function selectSubscriptions(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .select([
      "subscriptions.id",
      "subscriptions.advertiser_id",
      "subscriptions.tier_id",
      "subscriptions.status",
      "subscriptions.created_at",
      "subscriptions.current_period_start",
      "subscriptions.current_period_end",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.canceled_at",
      "subscriptions.ended_at",
      "subscriptions.cancellation_feedback",
      "subscriptions.trial_end",
      "subscriptions.renewal_failed_at",
      "subscriptions.stopped_at",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.is_period_void",
      "subscriptions.paid_amount",
      "prices.interval",
      "prices.interval_count",
      "prices.amount",
      "prices.currency",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
      "ads.id as ad_id",
      "ads.status as ad_status",
    ]);
}
