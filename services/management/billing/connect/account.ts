import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isLostSince } from "#libs/domain/lost-account.ts";
import { conflict } from "#libs/http/index.ts";
import { isAccountGone, isNotFound } from "#libs/payments/index.ts";
import { recordChange } from "../../audit/record.ts";
import { auditedState, type Billing, hasState, PROCESSOR, sync } from "../mirror.ts";

type AccountRow = Selectable<Tables["connected_accounts"]>;

/** The processor's permissions of an account. */
type Capabilities = Pick<AccountRow, "charges_enabled" | "payouts_enabled" | "details_submitted">;

export const NO_CAPABILITIES: Capabilities = {
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
};

type AccountPorts = Pick<Billing, "db" | "payments" | "now">;
type Columns = Capabilities & Pick<AccountRow, "gone_since">;

/**
 * Mirrors a workspace's account (`sync`). An account of no workspace is left out; one that is gone can do nothing, and since when is
 * recorded until it can be read again. Returns whether anything has changed. Throws `PaymentsError`.
 */
export async function syncAccount({ db, payments, now }: AccountPorts, accountId: string): Promise<boolean> {
  const { changed } = await sync<Columns, AccountRow & { readonly id: string }, Capabilities | "gone">(
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
          if (isAccountGone(error)) return "gone";
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

      columns: (found, { gone_since }) =>
        found === "gone"
          ? { ...NO_CAPABILITIES, gone_since: gone_since ?? new Date(payments.moment(now()).atProcessor) }
          : { ...found, gone_since: null },

      async write(trx, row, columns, sequence) {
        await trx
          .updateTable("connected_accounts")
          .set({ ...columns, sync_version: sequence, updated_at: new Date() })
          .where("workspace_id", "=", row.workspace_id)
          .execute();
      },

      async onChange(trx, row, { gone_since: _since, ...columns }) {
        if (hasState(row, columns)) return;
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
  ports: AccountPorts,
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

/**
 * Whether a call has failed because its account is lost: the account itself answers that it is gone, and has done so for a day. The first
 * such failure begins that day. This alone decides what is done without an account: every other failure is to be tried again. Throws
 * `PaymentsError`.
 */
export async function isLost(ports: AccountPorts, account: string | null, error: unknown): Promise<boolean> {
  if (account === null || !isAccountGone(error)) return false;
  await syncAccount(ports, account);
  const goneSince = await findGoneSince(ports.db, account);
  return (
    goneSince !== null && isLostSince(goneSince.getTime(), ports.payments.moment(ports.now()).atProcessor)
  );
}

/** Whether no attempt can find the object of a call that has failed: the processor does not have it, or its account is lost. */
export async function isGone(ports: AccountPorts, account: string | null, error: unknown): Promise<boolean> {
  return isNotFound(error) || (await isLost(ports, account, error));
}

/** Forgets that an account was gone, once something in it could be read. */
export async function noteReadable(ports: AccountPorts, account: string | null): Promise<void> {
  if (account !== null && (await findGoneSince(ports.db, account)) !== null)
    await syncAccount(ports, account);
}

async function findGoneSince(db: Kysely<Tables>, accountId: string): Promise<Date | null> {
  const row = await db
    .selectFrom("connected_accounts")
    .where("account_id", "=", accountId)
    .select("gone_since")
    .executeTakeFirst();
  return row?.gone_since ?? null;
}

function notSetUp() {
  return conflict("PAYMENTS_NOT_SET_UP", {
    formErrors: [
      "This publisher cannot take payments yet: the account at the payment processor is not set up.",
    ],
  });
}
