import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict } from "#libs/http/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import type { Actor } from "../../api/access/granted.ts";
import { api, forMembers } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { findAccount, NO_CAPABILITIES, syncAccount } from "./account.ts";

export interface ConnectPorts {
  readonly payments: Payments;
  readonly sales: { readonly connect: boolean; readonly isSandbox: boolean };
  readonly publicUrl: URL;
  readonly now: () => number;
}

export const connectRoutes = ({ payments, sales, publicUrl, now }: ConnectPorts) => ({
  /** While the account cannot charge, each request reads it at the processor: its owner is waiting, and a webhook may be lost. */
  get: forMembers(api.connect.get, async ({ context: { db, access } }) => {
    let account = sales.connect ? await findAccount(db, access.workspaceId) : undefined;
    if (
      account?.charges_enabled === false &&
      (await syncAccount({ db, payments, now }, account.account_id))
    ) {
      account = await findAccount(db, access.workspaceId);
    }
    const { charges_enabled, payouts_enabled, details_submitted } = account ?? NO_CAPABILITIES;
    return {
      available: sales.connect,
      connected: account !== undefined,
      chargesEnabled: charges_enabled,
      payoutsEnabled: payouts_enabled,
      detailsSubmitted: details_submitted,
      accountId: account?.account_id ?? null,
      sandbox: sales.isSandbox,
      processorTime: new Date(payments.moment(now()).atProcessor).toISOString(),
    };
  }),

  start: forMembers(api.connect.start, async ({ input, context: { db, access } }) => {
    if (!sales.connect) {
      throw conflict("OWN_ACCOUNTS_OFF", {
        formErrors: ["Workspaces have no payment account of their own here."],
      });
    }
    const accountId = await ensureAccount(db, payments, access.actor, access.workspaceId);
    const url = await payments.onboardingLink(accountId, {
      returnUrl: input.returnUrl ?? publicUrl.href,
      refreshUrl: input.refreshUrl ?? publicUrl.href,
    });
    return { url, accountId };
  }),
});

/**
 * The workspace's account at the processor, created by the first call. Racing callers, and one that never got its answer,
 * get the same account from the processor, because the idempotency key is the workspace's. Throws `PaymentsError`.
 */
async function ensureAccount(
  db: Kysely<Tables>,
  payments: Payments,
  actor: Actor,
  workspaceId: string,
): Promise<string> {
  const known = await findAccount(db, workspaceId);
  if (known !== undefined) return known.account_id;

  const { accountId } = await payments.createAccount({
    workspaceId,
    // No email address of the caller: another Owner's would differ, and the processor would refuse the key.
    idempotencyKey: `connect-${workspaceId}`,
  });
  return await db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto("connected_accounts")
      .values({ workspace_id: workspaceId, account_id: accountId })
      // Racing rows are alike in both unique columns, and one that is not named would be an error of its own.
      .onConflict((conflict) => conflict.doNothing())
      .returning("account_id")
      .executeTakeFirst();
    if (inserted !== undefined) {
      await recordChange(trx, actor, {
        workspaceId,
        action: "connect.start",
        resourceId: accountId,
        after: { accountId },
      });
      return accountId;
    }
    const added = await findAccount(trx, workspaceId);
    if (added === undefined) throw new Error("an account was neither added nor found");
    return added.account_id;
  });
}
