import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { asMailAddress, LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { asName } from "#libs/domain/storable-text.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { findAccount } from "../connect/account.ts";

type Metadata = ProcessorSubscription["metadata"];

/**
 * What was sold here of the subscriptions in an account, by their metadata: asks the database once, and tells the price of each;
 * undefined for none of ours. The owner of a connected account can write anything there, so that is believed only of the workspace that
 * has the account, before the processor is asked for more.
 */
export async function findSold(db: Kysely<Tables>, account: string | null, claims: readonly Metadata[]) {
  const claimed = claims.filter(
    ({ workspaceId, tierPriceId }) =>
      isId("workspace", workspaceId ?? "") && isId("price", tierPriceId ?? ""),
  );
  const prices = claimed.length === 0 ? [] : await selectPrices(db, account, claimed).execute();
  const byId = new Map(prices.map((price) => [price.id, price]));
  return ({ workspaceId, tierPriceId = "" }: Metadata) => {
    const price = byId.get(tierPriceId);
    return price?.workspace_id === workspaceId ? price : undefined;
  };
}

/**
 * Whether the workspace that a subscription's metadata name is here, or was deleted in the last year; null for any other. A connected account
 * is believed only of its own workspace.
 */
export async function findSeller(
  db: Kysely<Tables>,
  account: string | null,
  { workspaceId = "" }: Metadata,
): Promise<"here" | "erased" | null> {
  if (!isId("workspace", workspaceId)) return null;
  if (account !== null) return (await findAccount(db, workspaceId))?.account_id === account ? "here" : null;
  const rowOf = (table: "workspaces" | "erased_workspaces") =>
    db.selectFrom(table).where("id", "=", workspaceId).select("id").executeTakeFirst();
  if ((await rowOf("workspaces")) !== undefined) return "here";
  return (await rowOf("erased_workspaces")) === undefined ? null : "erased";
}

function selectPrices(db: Kysely<Tables>, account: string | null, claimed: readonly Metadata[]) {
  const workspaceIds = new Set(claimed.map(({ workspaceId = "" }) => workspaceId));
  const priceIds = new Set(claimed.map(({ tierPriceId = "" }) => tierPriceId));
  return db
    .selectFrom("prices")
    .where("workspace_id", "in", [...workspaceIds])
    .where("id", "in", [...priceIds])
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
    .select(["id", "tier_id", "workspace_id"]);
}

/**
 * The id of the workspace's advertiser with the customer's email address; a first purchase adds one. Anybody can buy with
 * anybody's address, so the advertiser keeps the name and the customer of the first purchase. Each subscription has its
 * own customer at the processor.
 */
export async function upsertAdvertiser(
  trx: Transaction<Tables>,
  workspaceId: string,
  { email: given, name, customerId }: Pick<ProcessorSubscription, "email" | "name" | "customerId">,
): Promise<string> {
  const typed = given?.trim() ?? null;
  const email = typed === null ? null : (asMailAddress(typed) ?? asName(LONGEST_EMAIL, typed.toLowerCase()));
  const { id } = await trx
    .insertInto("advertisers")
    .values({
      id: newId("advertiser"),
      workspace_id: workspaceId,
      name: asName(LONGEST.name, name ?? email?.split("@")[0] ?? "") ?? "Advertiser",
      email,
      provider_customer_id: customerId,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "email"]).doUpdateSet({ updated_at: new Date() }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
