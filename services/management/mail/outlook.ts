import type { Bill } from "#libs/domain/charging.ts";
import type { GraceChange } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { type Outlook, outlook } from "#libs/domain/outlook.ts";
import { paidUntil } from "#libs/domain/paid-time.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";

/** A subscription with what decides what follows for it. */
export interface BillingRow {
  readonly status: SubscriptionStatus;
  readonly ad_status: AdStatus | null;
  readonly serving_since: Date | null;
  readonly amount: number;
  readonly current_period_end: Date | null;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: Date | null;
  readonly charge_at: ChargeAt;
  readonly awaits_approval: boolean;
  readonly is_period_void: boolean;
  readonly paid_amount: number | null;
  readonly renewal_failed_at: Date | null;
  readonly renewal_grace_days: number;
  readonly grace_changes: readonly GraceChange[];
  readonly stopped_at: Date | null;
  readonly stop_bill: Bill | null;
}

/** What follows for a subscription that has not ended. */
export function outlookOf(row: BillingRow, now: ProcessorTime): Outlook {
  return outlook(
    {
      status: row.status,
      chargeAt: row.charge_at,
      awaitsApproval: row.awaits_approval,
      amount: row.amount,
      adStatus: row.ad_status,
      hasRun: row.serving_since !== null,
      currentPeriodEnd: row.current_period_end?.getTime() ?? null,
      cancelAtPeriodEnd: row.cancel_at_period_end,
      cancelAt: row.cancel_at?.getTime() ?? null,
      isPeriodVoid: row.is_period_void,
      isPaid: row.paid_amount !== null,
      renewalFailedAt: row.renewal_failed_at?.getTime() ?? null,
      graceDays: row.renewal_grace_days,
      graceChanges: row.grace_changes,
      stoppedAt: row.stopped_at?.getTime() ?? null,
      stopBill: row.stop_bill,
    },
    now,
  );
}

/** As `paidUntil`: the time that was paid at checkout and that passes without an approved ad. */
export function paidTimeOf(row: BillingRow, now: ProcessorTime): ReturnType<typeof paidUntil> {
  const held = {
    status: row.status,
    awaitsApproval: row.awaits_approval,
    isPeriodVoid: row.is_period_void,
    isStopped: row.stopped_at !== null,
    currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    amount: row.amount,
  };
  return paidUntil(held, now);
}
