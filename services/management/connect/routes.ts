import { conflict } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { ensureAccount } from "./ensure-account.ts";
import { presentState } from "./present.ts";
import { type AccountRow, findAccount, MAY_NOTHING } from "./queries.ts";
import { syncAccount } from "./sync.ts";

export const connectRoutes = {
  /** While the account cannot charge its owner waits for it: a webhook that is late or lost is made up for. */
  get: forMembers(api.connect.get, async ({ context: { services, access } }) => {
    const available = services.sales.connect;
    let account: AccountRow | undefined;
    if (available) account = await findAccount(services.db, access.workspaceId);
    if (
      account !== undefined &&
      !account.charges_enabled &&
      (await syncAccount(services, account.account_id))
    ) {
      account = await findAccount(services.db, access.workspaceId);
    }
    return {
      available,
      connected: account !== undefined,
      ...presentState(account ?? MAY_NOTHING),
      accountId: account?.account_id ?? null,
      sandbox: services.sales.isSandbox,
    };
  }),

  start: forMembers(api.connect.start, async ({ input, context }) => {
    const { services, access } = context;
    if (!services.sales.connect) {
      throw conflict({ formErrors: ["Workspaces have no payment account of their own here."] });
    }
    const accountId = await ensureAccount(services, access.actor, access.workspaceId);
    const url = await services.payments.onboardingLink(accountId, {
      returnUrl: input.returnUrl ?? services.publicUrl.href,
      refreshUrl: input.refreshUrl ?? services.publicUrl.href,
    });
    return { url, accountId };
  }),
};
