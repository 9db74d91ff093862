import { type ChargingStep, chargingStep } from "#libs/domain/charging.ts";
import { plannedEnd } from "#libs/domain/subscription.ts";
import type { Billing } from "../mirror.ts";
import { chargingFacts, findCharging, stepOf } from "./charging-queries.ts";
import { syncSubscription } from "./subscription.ts";
import { claimSubscription, releaseClaim, retryWithin } from "./subscription-claim.ts";

/** How long a job waits for a change of the subscription that is asking the processor, before it is tried again. */
const AWAITS_CLAIM_MS = 3_000;
const DAY_MS = 86_400_000;

const GIVEN_UP = "The ad was not approved in time. Nothing was charged.";

export interface ChargingPorts extends Billing {
  readonly sales: {
    /** Days before the first charge; null for none. */
    readonly trialDays: number | null;
  };
}

/**
 * Has the processor charge for ads that were approved, and for no others: holds a new subscription, releases or starts it
 * once its ad is approved, gives up a saved card whose ad was never approved, and ends a purchase that was canceled before its first
 * charge. The decision is recorded before, so that
 * a processor that is away delays the charge and never loses it. Throws `PaymentsError`.
 */
export async function settleCharging(billing: ChargingPorts, subscriptionId: string): Promise<void> {
  const { db, payments } = billing;
  const now = () => payments.moment(billing.now()).atProcessor;
  const claimed = await retryWithin(AWAITS_CLAIM_MS, () =>
    db.transaction().execute(async (trx) => {
      const row = await findCharging(trx, subscriptionId).forUpdate("subscriptions").executeTakeFirst();
      if (row === undefined || stepOf(row, now()) === null) return { row: undefined };
      const claim = await claimSubscription(trx, {
        workspaceId: row.workspace_id,
        subscriptionId,
        purpose: "charging",
      });
      return claim === null ? null : { row, claim };
    }),
  );
  if (claimed === null) throw new Error(`Another change of subscription ${subscriptionId} is under way.`);
  if (claimed.row === undefined) return;
  const { row, claim } = claimed;
  const { provider_subscription_id: id, provider_account: account } = row;
  try {
    // Asked again: an earlier attempt may have been made without our learning of it.
    const current = await payments.readSubscription(id, account);
    const { status, awaitsApproval, trialEnd } = current;
    const isCanceling = plannedEnd(current) !== null;
    const facts = { ...chargingFacts(row), status, awaitsApproval, trialEnd, isCanceling };
    const step = chargingStep(facts, now());
    if (step !== null) await takeStep(billing, step, { id, account });
  } finally {
    await releaseClaim(db, claim);
  }
  await syncSubscription(billing, id, account);
}

async function takeStep(
  { payments, sales, now }: ChargingPorts,
  step: ChargingStep,
  { id, account }: { readonly id: string; readonly account: string | null },
): Promise<void> {
  const write = { account, idempotencyKey: crypto.randomUUID() };
  switch (step) {
    case "hold":
      await payments.holdSubscription(id, write);
      return;
    case "release":
      await payments.resumeSubscription(id, write);
      return;
    case "start": {
      const { atProcessor } = payments.moment(now());
      const trialEnd = sales.trialDays === null ? null : atProcessor + sales.trialDays * DAY_MS;
      await payments.startSubscription(id, { ...write, trialEnd });
      return;
    }
    case "give up":
      await payments.cancelSubscription(id, { ...write, atPeriodEnd: false, comment: GIVEN_UP });
      return;
    // The advertiser's own words about why they canceled stay.
    case "end":
      await payments.cancelSubscription(id, { ...write, atPeriodEnd: false });
  }
}
