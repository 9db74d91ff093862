import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ConnectedAccountsTable } from "#libs/database/tables-ledger.ts";
import type { ProviderAccount } from "#libs/payments/index.ts";

export type AccountRow = Selectable<ConnectedAccountsTable>;

/** What the processor lets an account do. */
export type AccountState = Pick<AccountRow, "charges_enabled" | "payouts_enabled" | "details_submitted">;

/** Of an account that is not there. */
export const MAY_NOTHING: AccountState = {
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
};

/** The workspace's own account at the processor; undefined when it has none. */
export async function findAccount(db: Kysely<Tables>, workspaceId: string): Promise<AccountRow | undefined> {
  return await db
    .selectFrom("connected_accounts")
    .where("workspace_id", "=", workspaceId)
    .selectAll()
    .executeTakeFirst();
}

/** The account with the processor's id, whichever workspace's it is; undefined for one that is not ours. */
export async function findAccountById(
  db: Kysely<Tables>,
  accountId: string,
): Promise<AccountRow | undefined> {
  return await db
    .selectFrom("connected_accounts")
    .where("account_id", "=", accountId)
    .selectAll()
    .executeTakeFirst();
}

/** Notes a new account; false when the workspace has one already. */
export async function insertAccount(
  trx: Transaction<Tables>,
  workspaceId: string,
  accountId: string,
): Promise<boolean> {
  const made = await trx
    .insertInto("connected_accounts")
    .values({ workspace_id: workspaceId, account_id: accountId })
    .onConflict((conflict) => conflict.column("workspace_id").doNothing())
    .returning("account_id")
    .executeTakeFirst();
  return made !== undefined;
}

/** Writes the processor's word over the state it was asked for in; false when another writer was faster. */
export async function updateAccount(
  trx: Transaction<Tables>,
  known: AccountRow,
  state: AccountState,
): Promise<boolean> {
  const written = await trx
    .updateTable("connected_accounts")
    .set({ ...state, sync_version: known.sync_version + 1, updated_at: new Date() })
    .where("workspace_id", "=", known.workspace_id)
    .where("sync_version", "=", known.sync_version)
    .returning("account_id")
    .executeTakeFirst();
  return written !== undefined;
}

/** The processor's word on an account, as columns of ours. */
export function stateColumns(provider: ProviderAccount): AccountState {
  return {
    charges_enabled: provider.chargesEnabled,
    payouts_enabled: provider.payoutsEnabled,
    details_submitted: provider.detailsSubmitted,
  };
}
