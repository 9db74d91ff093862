import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type ChargingStep, chargingStep, isCardSaved } from "#libs/domain/charging.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { isLost } from "../connect/account.ts";
import { syncInvoice } from "../ledger/invoice.ts";
import type { Billing } from "../mirror.ts";
import { type ChargingRow, factsAtProcessor, findCharging, stepOf } from "./charging-queries.ts";
import { clearEnded, recordCleared } from "./clear-ended.ts";
import {
  continuePeriod,
  newWrite,
  pausePeriod,
  type Sold,
  shelveBill,
  voidPeriods,
} from "./continue-period.ts";
import { syncSubscription } from "./subscription.ts";
import { underClaim } from "./subscription-claim.ts";
import { withUnwrittenStop } from "./unwritten-stop.ts";

const DAY_MS = 86_400_000;

const GIVEN_UP = "The ad was not approved in time. Nothing was charged.";

export interface ChargingPorts extends Billing {
  readonly sales: {
    /** Days before the first charge; null without a trial. */
    readonly trialDays: number | null;
  };
}

/**
 * Takes the step that `chargingStep` names for a subscription at the processor. Then syncs the subscription, which queues the next
 * step, if there is one. The decisions behind a step are recorded before it, so a processor that is away delays a charge and never
 * loses it. Throws `PaymentsError`.
 */
export async function settleCharging(billing: ChargingPorts, subscriptionId: string): Promise<void> {
  const { db, payments } = billing;
  const now = () => payments.moment(billing.now()).atProcessor;
  const find = async (trx: Transaction<Tables>) => {
    const row = await findCharging(trx, subscriptionId).forUpdate("subscriptions").executeTakeFirst();
    return row === undefined || stepOf(row, now()) === null ? undefined : row;
  };
  const settled = await underClaim(db, subscriptionId, find, async (row, stillMine) => {
    const { provider_subscription_id: id, provider_account: account } = row;
    // Reads the state again: an earlier attempt may have reached the processor without an answer to us.
    const read = await unlessLost(billing, account, payments.readSubscription(id, account));
    if (read === null) {
      if (hasEnded(row.status)) await recordCleared(billing, row);
      return;
    }
    const current = withUnwrittenStop(read, row, now());
    const step = chargingStep(factsAtProcessor(row, current), now());
    // If this process stood still meanwhile, another one may have begun the same period.
    await stillMine();
    if (step !== null) await takeStep(billing, step, { id, account }, row, current);
  });
  if (settled === undefined) return;
  await syncSubscription(billing, settled.provider_subscription_id, settled.provider_account);
}

/** Null where the account is lost: no step can be taken, and the sync records the end. */
async function unlessLost<T>(
  billing: Billing,
  account: string | null,
  reading: Promise<T>,
): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (await isLost(billing, account, error)) return null;
    throw error;
  }
}

async function takeStep(
  billing: ChargingPorts,
  step: ChargingStep,
  sold: Sold,
  row: ChargingRow,
  current: ProcessorSubscription,
): Promise<void> {
  const { payments, sales, now } = billing;
  const { id } = sold;
  const write = newWrite(sold);
  switch (step) {
    case "hold":
      // Voids a renewal that was invoiced while we were away. This comes first: after a crash between the two, the step is repeated.
      await voidPeriods(payments, sold, null);
      await payments.holdSubscription(id, write);
      return;
    case "release":
      await payments.releaseSubscription(id, write);
      return;
    case "start": {
      // An unpaid invoice of the period before would buy nothing if it were paid beside this one.
      if (current.isPeriodVoid) await voidPeriods(payments, sold, null);
      const { atProcessor } = payments.moment(now());
      const hasTrial = isCardSaved(current);
      // The trial that the checkout promised. Earlier releases did not record it.
      const trialDays = hasTrial ? (current.trialDays ?? sales.trialDays ?? 0) : 0;
      const trialEnd = trialDays > 0 ? atProcessor + trialDays * DAY_MS : null;
      await payments.startSubscription(id, { ...write, trialEnd, seen: current });
      return;
    }
    case "stop":
      await stopUnpaid(billing, sold, row, current);
      return;
    case "continue":
      await continuePeriod(billing, sold, current);
      return;
    case "pause":
      await pausePeriod(billing, sold);
      return;
    case "shelve":
      await shelveBill(payments, sold, current);
      return;
    case "forgive":
      await forgiveEarlier(billing, sold, current);
      return;
    case "give up":
      await payments.cancelSubscription(id, { ...write, atPeriodEnd: false, comment: GIVEN_UP });
      return;
    // Has no comment, so that the advertiser's own reason for the cancellation stays.
    case "end":
      await payments.cancelSubscription(id, { ...write, atPeriodEnd: false });
      return;
    case "clear":
      await clearEnded(billing, row, current);
  }
}

/** Voids the invoices of earlier periods whose charges failed, and syncs them at once. */
async function forgiveEarlier(
  billing: ChargingPorts,
  sold: Sold,
  { currentPeriodStart }: ProcessorSubscription,
): Promise<void> {
  const { payments } = billing;
  const { id: subscriptionId, account } = sold;
  const open = payments.listInvoices({ account, since: 0, subscriptionId, status: "open" });
  for await (const { id, isRenewal, failedAt, periodEnd } of open) {
    if (!isRenewal || failedAt === null || periodEnd > (currentPeriodStart ?? 0)) continue;
    await payments.voidInvoice(id, newWrite(sold));
    await syncInvoice(billing, id, account);
  }
}

/**
 * Stops the time of a period whose charge has failed, as of the exact end of its grace, which may have been cut short. Voids the
 * invoices of later periods first, so that only that charge is owed.
 */
async function stopUnpaid(
  { payments }: ChargingPorts,
  sold: Sold,
  row: ChargingRow,
  current: ProcessorSubscription,
): Promise<void> {
  const { owed, stop, periodInvoiceId } = current;
  const { graceEndsAt } = factsAtProcessor(row, current);
  // If somebody resumed the collection at the processor, the stop keeps its time.
  const at = stop?.at ?? graceEndsAt ?? owed?.failedAt;
  if (at === undefined) return;
  await voidPeriods(payments, sold, owed?.invoiceId ?? periodInvoiceId);
  await payments.stopSubscription(sold.id, { ...newWrite(sold), reason: "unpaid", at });
}
