import type { Stop } from "#libs/domain/charging.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";

/** A subscription of a customer; ids, times and amounts as in `Payments`. */
export interface ProcessorSubscription {
  readonly id: string;
  /** When it was bought. */
  readonly createdAt: number;
  readonly customerId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly status: SubscriptionStatus;
  /** Whether the processor has given up charging it without ending it, which `infra/docs/stripe.md` advises against. */
  readonly isLeftUnpaid: boolean;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly canceledAt: number | null;
  /** When it ended for good. */
  readonly endedAt: number | null;
  /** The processor's words, for example `cancellation_requested`, `too_expensive`. */
  readonly cancellationReason: string | null;
  readonly cancellationFeedback: string | null;
  readonly cancellationComment: string | null;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  readonly trialEnd: number | null;
  readonly chargeAt: ChargeAt;
  /** Whether it is held, or waits for its start. */
  readonly awaitsApproval: boolean;
  /** Whether the processor collects what it invoices. */
  readonly isCollected: boolean;
  /** The days of trial that were promised with `chargeAt` `approval`; null where it is not known. */
  readonly trialDays: number | null;
  /** What was paid for the current period, after discounts, at least 0; null when it is unpaid, voided or unknown. */
  readonly paidAmount: number | null;
  /** Whether the current period is the trial. */
  readonly isTrialPeriod: boolean;
  /** The newest invoice, which is not that of the current period where this was stopped or moved, or where it sells none. */
  readonly latestInvoiceId: string | null;
  /** The invoice of the current period. */
  readonly periodInvoiceId: string | null;
  /** Whether the current period was stopped and continues, so that it has moved. */
  readonly isPeriodMoved: boolean;
  /** Whether the invoice of the current period was voided, so that nothing was paid for it. */
  readonly isPeriodVoid: boolean;
  /** The oldest charge that has failed, which is that of the current period; null for none, and for a stopped subscription. */
  readonly owed: OwedCharge | null;
  /**
   * When the oldest unpaid renewal was first attempted; null unless one is unpaid. A subscription that has never paid
   * has no renewals.
   */
  readonly renewalFailedAt: number | null;
  /** Why the time of the current period stands still; null if it runs. */
  readonly stop: Stop | null;
  readonly processorPriceId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A subscription that was found, of which it may be decided first whether the rest is worth the calls that it takes. */
export interface FoundSubscription {
  readonly id: string;
  readonly metadata: ProcessorSubscription["metadata"];
  /** The whole subscription as it was found; asks for its invoices if it is overdue or stopped, or if the newest sells no period or is not settled. */
  whole(): Promise<ProcessorSubscription>;
}

/** A charge that has failed. */
export interface OwedCharge {
  readonly invoiceId: string;
  /** When it was first attempted. */
  readonly failedAt: number;
}

/** The processor's id of the invoice whose charge has failed; null for none. */
export function owedInvoice({
  owed,
  stop,
  periodInvoiceId,
}: Pick<ProcessorSubscription, "owed" | "stop" | "periodInvoiceId">): string | null {
  const isOwed = stop?.reason === "unpaid" && (stop.bill === "open" || stop.bill === "collected");
  return owed?.invoiceId ?? (isOwed ? periodInvoiceId : null);
}
