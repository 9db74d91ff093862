import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";

/** A look at the processor that is about to begin. */
export interface Look {
  /** Its number: every look that began earlier has a lower one. */
  readonly ticket: number;
  /** The number of the look that was taken down last; null where the subscription is not known yet. */
  readonly noted: number | null;
}

/** Begins a look at the processor's subscription. */
export async function beginLook(db: Kysely<Tables>, providerSubscriptionId: string): Promise<Look> {
  return await db
    .selectNoFrom((select) => [
      sql<number>`nextval('sync_tickets')`.as("ticket"),
      select
        .selectFrom("subscriptions")
        .where("provider_subscription_id", "=", providerSubscriptionId)
        .select("sync_version")
        .as("noted"),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * The subscription with the processor's id, locked and whole, whether a change of somebody's own is under way, and
 * whether its advertiser was erased; undefined where it is not known.
 */
export async function lockSubscription(trx: Transaction<Tables>, providerSubscriptionId: string) {
  return await trx
    .selectFrom("subscriptions")
    .where("provider_subscription_id", "=", providerSubscriptionId)
    .selectAll()
    .select([
      sql<boolean>`coalesce(claimed_until > now(), false)`.as("is_claimed"),
      sql<boolean>`exists (
        select from advertisers where advertisers.id = subscriptions.advertiser_id and erased_at is not null
      )`.as("is_erased"),
    ])
    .forUpdate()
    .executeTakeFirst();
}

export type LockedSubscription = NonNullable<Awaited<ReturnType<typeof lockSubscription>>>;

/**
 * The price that a subscription names as the one it was sold for; undefined where that is not ours. An account's owner
 * can name anything in it, so what lies in a connected account is only believed of the workspace that the account is of.
 */
export async function findSoldPrice(
  trx: Transaction<Tables>,
  workspaceId: string,
  priceId: string,
  account: string | null,
) {
  if (!isId("workspace", workspaceId) || !isId("price", priceId)) return undefined;
  return await trx
    .selectFrom("prices")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", priceId)
    .$if(account !== null, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom("connected_accounts")
            .whereRef("connected_accounts.workspace_id", "=", "prices.workspace_id")
            .where("connected_accounts.account_id", "=", account ?? ""),
        ),
      ),
    )
    .select(["id", "tier_id"])
    .executeTakeFirst();
}
