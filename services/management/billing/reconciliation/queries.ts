import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { enqueue } from "../../queue/enqueue.ts";

/** Rows in memory at a time. */
export const PAGE = 100;

/** Every account that can have sales: null, the platform's own, and the connected ones. */
export async function listAccounts(db: Kysely<Tables>): Promise<(string | null)[]> {
  const connected = await db.selectFrom("connected_accounts").select("account_id").execute();
  return [null, ...connected.map(({ account_id }) => account_id)];
}

/** Our rows of the processor's subscriptions, by the processor's id, with whether the checkout of one is here, or was erased. */
export async function findKnown(db: Kysely<Tables>, providerIds: readonly string[]) {
  if (providerIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("subscriptions")
    .where("provider_subscription_id", "in", providerIds)
    .selectAll()
    .select(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom("checkout_sessions")
            .whereRef("subscription_id", "=", "subscriptions.id")
            .select("checkout_sessions.id"),
        ),
        exists(
          selectFrom("advertisers")
            .whereRef("advertisers.id", "=", "subscriptions.advertiser_id")
            .where("erased_at", "is not", null)
            .select("advertisers.id"),
        ),
      ]).as("has_checkout"),
    )
    .execute();
  return new Map(rows.map((row) => [row.provider_subscription_id, row]));
}

/** The next of an account's subscriptions that are live here, in the order of their ids, made before `begun`. */
export async function listLive(db: Kysely<Tables>, account: string | null, begun: Date, after: string) {
  return await db
    .selectFrom("subscriptions")
    .where("status", "not in", ENDED_STATUSES)
    .where("provider_account", "is not distinct from", account)
    .where("created_at", "<", begun)
    .where("id", ">", after)
    .select(["id", "provider_subscription_id"])
    .orderBy("id")
    .limit(PAGE)
    .execute();
}

/** Checkouts that are open here; of more than `most` any, so that ones that nobody pays keep no others from being looked at. */
export async function listOpenCheckouts(db: Kysely<Tables>, most: number) {
  return await db
    .selectFrom("checkout_sessions")
    .where("status", "=", "open")
    .select(["id", "provider_account"])
    .orderBy((eb) => eb.fn("random"))
    .limit(most)
    .execute();
}

/** Queues the refunds that are due, for jobs that have given up. */
export async function queueDueRefunds(db: Kysely<Tables>): Promise<void> {
  const due = db
    .selectFrom("subscriptions")
    .where("refund_due_since", "is not", null)
    .select(["id", "workspace_id"])
    .orderBy("id")
    .limit(PAGE);
  // All of them: those that are refused for ever must not keep newer ones from being tried.
  for await (const { id, workspace_id: workspaceId } of inOrder((after) =>
    due.where("id", ">", after).execute(),
  )) {
    await enqueue(db, "refund-due", { subscriptionId: id, workspaceId });
  }
}

/**
 * First the tiers that are archived in only one place, here or at the processor, then the tiers of prices for which that holds. A tier
 * that was told in the first pass is not listed again.
 */
export async function* listTiersToTell(db: Kysely<Tables>) {
  const tiers = db
    .selectFrom("tiers")
    .where("provider_product_id", "is not", null)
    .whereRef("is_active", "!=", "provider_active")
    .select(["workspace_id", "id", "id as tier_id"])
    .orderBy("id")
    .limit(PAGE);
  const prices = db
    .selectFrom("prices")
    .where("provider_price_id", "is not", null)
    .whereRef("is_active", "!=", "provider_active")
    .select(["workspace_id", "id", "tier_id"])
    .orderBy("id")
    .limit(PAGE);
  yield* inOrder((after) => tiers.where("id", ">", after).execute());
  yield* inOrder((after) => prices.where("id", ">", after).execute());
}

/** Each row of pages that are read in the order of their ids, to the last. */
export async function* inOrder<Row extends { readonly id: string }>(
  pageAfter: (id: string) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: readonly Row[] = await pageAfter(after);
    yield* page;
    after = page.at(-1)?.id;
  }
}
