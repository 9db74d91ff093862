import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict } from "#libs/http/index.ts";
import { isAccountGone } from "#libs/payments/index.ts";
import { recordChange } from "../../audit/record.ts";
import { auditedState, type Billing, PROCESSOR, sync } from "../mirror.ts";

type AccountRow = Selectable<Tables["connected_accounts"]>;

/** The processor's permissions of an account. */
type Capabilities = Pick<AccountRow, "charges_enabled" | "payouts_enabled" | "details_submitted">;

export const NO_CAPABILITIES: Capabilities = {
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
};

/**
 * Mirrors a workspace's account (`sync`). An account of no workspace is left out; one that has disconnected can do nothing.
 * Returns whether anything has changed. Throws `PaymentsError`.
 */
export async function syncAccount(
  { db, payments }: Pick<Billing, "db" | "payments">,
  accountId: string,
): Promise<boolean> {
  const { changed } = await sync<Capabilities, AccountRow & { readonly id: string }, Capabilities>(
    db,
    accountId,
    {
      version: (db, id) =>
        db.selectFrom("connected_accounts").where("account_id", "=", id).select("sync_version"),

      async read(id) {
        try {
          const account = await payments.readAccount(id);
          return {
            charges_enabled: account.chargesEnabled,
            payouts_enabled: account.payoutsEnabled,
            details_submitted: account.detailsSubmitted,
          };
        } catch (error) {
          if (isAccountGone(error)) return NO_CAPABILITIES;
          throw error;
        }
      },

      lock: async (trx, id) =>
        await trx
          .selectFrom("connected_accounts")
          .where("account_id", "=", id)
          .selectAll()
          .select("account_id as id")
          .forUpdate()
          .executeTakeFirst(),

      columns: (capabilities) => capabilities,

      async write(trx, row, columns, sequence) {
        await trx
          .updateTable("connected_accounts")
          .set({ ...columns, sync_version: sequence, updated_at: new Date() })
          .where("workspace_id", "=", row.workspace_id)
          .execute();
      },

      async onChange(trx, row, columns) {
        await recordChange(trx, PROCESSOR, {
          workspaceId: row.workspace_id,
          action: "connect.update",
          resourceId: row.account_id,
          before: auditedState(row, columns),
          after: auditedState(columns, columns),
        });
      },
    },
  );
  return changed;
}

/** The workspace's own account at the processor; undefined when it has none. */
export async function findAccount(db: Kysely<Tables>, workspaceId: string): Promise<AccountRow | undefined> {
  return await db
    .selectFrom("connected_accounts")
    .where("workspace_id", "=", workspaceId)
    .selectAll()
    .executeTakeFirst();
}

/**
 * The account at the processor in which a workspace sells from now on: its own if Connect is on and it has one, else null,
 * the platform's. 409 while the processor does not let its own charge. What was sold stays in its `provider_account`.
 */
export async function findSellingAccount(
  db: Kysely<Tables>,
  hasConnect: boolean,
  workspaceId: string,
): Promise<string | null> {
  if (!hasConnect) return null;
  const account = await findAccount(db, workspaceId);
  if (account === undefined) return null;
  if (!account.charges_enabled) throw notSetUp();
  return account.account_id;
}

/** Sells in an account. 409 where the processor answers that it is gone, of which no webhook may have told. Throws `PaymentsError`. */
export async function sellIn<T>(
  ports: Pick<Billing, "db" | "payments">,
  account: string | null,
  sell: () => Promise<T>,
): Promise<T> {
  try {
    return await sell();
  } catch (error) {
    if (account === null || !isAccountGone(error)) throw error;
    await syncAccount(ports, account);
    throw notSetUp();
  }
}

function notSetUp() {
  return conflict("PAYMENTS_NOT_SET_UP", {
    formErrors: [
      "This publisher cannot take payments yet: the account at the payment processor is not set up.",
    ],
  });
}
