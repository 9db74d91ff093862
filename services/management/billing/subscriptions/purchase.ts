import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { asMailAddress, LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { asName } from "#libs/domain/storable-text.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";

/**
 * The price that a subscription's metadata names; undefined for none of ours. The owner of a connected account can write
 * anything there, so that is believed only of the workspace that has the account.
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
