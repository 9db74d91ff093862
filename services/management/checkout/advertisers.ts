import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";

/**
 * The id of the workspace's advertiser with the customer's e-mail address; a first purchase makes one. Anybody can buy with
 * anybody's address: the advertiser keeps the name and the customer of the first purchase. Each subscription knows its own
 * customer at the processor.
 */
export async function upsertAdvertiser(
  trx: Transaction<Tables>,
  workspaceId: string,
  { email: given, name, customerId }: Pick<ProviderSubscription, "email" | "name" | "customerId">,
): Promise<string> {
  const email = given?.trim().toLowerCase() ?? null;
  const { id } = await trx
    .insertInto("advertisers")
    .values({
      id: newId("advertiser"),
      workspace_id: workspaceId,
      name: name ?? email?.split("@")[0] ?? "Advertiser",
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
