import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";

/** The id of the workspace's advertiser with the customer's e-mail address; a first purchase makes one. */
export async function upsertAdvertiser(
  trx: Transaction<Tables>,
  workspaceId: string,
  provider: Pick<ProviderSubscription, "email" | "name" | "customerId">,
): Promise<string> {
  const email = provider.email?.trim().toLowerCase() ?? null;
  const { id } = await trx
    .insertInto("advertisers")
    .values({
      id: newId("advertiser"),
      workspace_id: workspaceId,
      name: provider.name ?? email?.split("@")[0] ?? "Advertiser",
      email,
      provider_customer_id: provider.customerId,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "email"]).doUpdateSet({
        provider_customer_id: provider.customerId,
        ...(provider.name === null ? {} : { name: provider.name }),
        updated_at: new Date(),
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
