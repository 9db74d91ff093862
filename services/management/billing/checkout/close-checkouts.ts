import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { isGone } from "../connect/account.ts";
import type { Billing } from "../mirror.ts";
import { callForEach } from "./at-processor.ts";
import { closeCheckout } from "./sessions.ts";

const PAGE = 50;

/**
 * Ends the open checkouts of a workspace at the payment processor that sell nothing any more: of an archived price or tier, and all
 * of a workspace that is suspended or being deleted. So nobody pays a price that the publisher has taken back, or for an ad that is not served. After a turn the rest
 * is queued. Throws as `callForEach` does; the job is then retried.
 */
export async function closeOpenCheckouts(
  billing: Billing,
  { workspaceId, turn }: Payloads["close-checkouts"],
): Promise<void> {
  const { db, payments, logger } = billing;
  const next = await callForEach({
    from: turn,
    pageAfter: async (after) =>
      await db
        .selectFrom("checkout_sessions")
        .innerJoin("workspaces", "workspaces.id", "checkout_sessions.workspace_id")
        .innerJoin("prices", "prices.id", "checkout_sessions.price_id")
        .innerJoin("tiers", "tiers.id", "prices.tier_id")
        .where("checkout_sessions.workspace_id", "=", workspaceId)
        .where("prices.workspace_id", "=", workspaceId)
        .where("tiers.workspace_id", "=", workspaceId)
        .where((where) =>
          where.or([
            where("workspaces.suspended_at", "is not", null),
            where("prices.is_active", "=", false),
            where("tiers.is_active", "=", false),
          ]),
        )
        .where("checkout_sessions.status", "=", "open")
        .where("checkout_sessions.id", ">", after)
        .select(["checkout_sessions.id", "checkout_sessions.provider_account"])
        .orderBy("checkout_sessions.id")
        .limit(PAGE)
        .execute(),
    call: async ({ id, provider_account: account }) => {
      await closeCheckout(billing, await payments.expireCheckoutSession(id, account), account);
    },
    isUnknown: ({ provider_account: account }, error) => isGone(billing, account, error),
    onUnknown: ({ id }) =>
      logger.warn({ session: id }, "skipped: not found at the payment processor, or its account is lost"),
  });
  if (next !== null) await enqueue(db, "close-checkouts", { workspaceId, turn: next });
}
