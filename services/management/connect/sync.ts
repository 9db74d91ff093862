import { PaymentsError } from "#libs/payments/index.ts";
import { recordChange } from "../audit/record.ts";
import type { Services } from "../services.ts";
import { untilCurrent } from "../until-current.ts";
import { presentState } from "./present.ts";
import { type AccountState, findAccountById, MAY_NOTHING, stateColumns, updateAccount } from "./queries.ts";

const PROCESSOR = { kind: "processor", name: "Payment processor" } as const;

/**
 * Brings what we know of a workspace's account in line with the processor's; an account that is not ours is left alone,
 * one that has disconnected can do nothing. Returns whether anything is different now. Throws `PaymentsError`.
 */
export async function syncAccount(services: Services, accountId: string): Promise<boolean> {
  return await untilCurrent(async () => {
    const known = await findAccountById(services.db, accountId);
    if (known === undefined) return false;
    const state = await readState(services, accountId);
    const before = presentState(known);
    const after = presentState(state);

    return await services.db.transaction().execute(async (trx) => {
      // Also when all is as it was: whoever looked earlier, and saw something else, must not write that now.
      if (!(await updateAccount(trx, known, state))) return "outdated";
      if (JSON.stringify(before) === JSON.stringify(after)) return false;
      await recordChange(trx, PROCESSOR, {
        workspaceId: known.workspace_id,
        action: "connect.update",
        resourceId: accountId,
        before,
        after,
      });
      return true;
    });
  });
}

async function readState({ payments }: Services, accountId: string): Promise<AccountState> {
  try {
    return stateColumns(await payments.readAccount(accountId));
  } catch (error) {
    if (error instanceof PaymentsError && error.code === "NOT_FOUND") return MAY_NOTHING;
    throw error;
  }
}
