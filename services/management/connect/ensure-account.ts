import type { Actor } from "../access/actor.ts";
import { recordChange } from "../audit/record.ts";
import type { Services } from "../services.ts";
import { findAccount, insertAccount } from "./queries.ts";

/**
 * The workspace's account at the processor, made at the first call. Racing callers, and one whose answer got lost, get
 * the same one from the processor: the workspace names the intent. Throws `PaymentsError`.
 */
export async function ensureAccount(services: Services, actor: Actor, workspaceId: string): Promise<string> {
  const known = await findAccount(services.db, workspaceId);
  if (known !== undefined) return known.account_id;

  const { accountId } = await services.payments.createAccount({
    workspaceId,
    // Without the caller's e-mail address: another Owner who tries again would be another request under the same key.
    idempotencyKey: `connect-${workspaceId}`,
  });
  return await services.db.transaction().execute(async (trx) => {
    if (await insertAccount(trx, workspaceId, accountId)) {
      await recordChange(trx, actor, {
        workspaceId,
        action: "connect.start",
        resourceId: accountId,
        after: { accountId },
      });
      return accountId;
    }
    const made = await findAccount(trx, workspaceId);
    if (made === undefined) throw new Error("an account was neither added nor found");
    return made.account_id;
  });
}
