import type { DisputeStatus } from "#libs/domain/invoice.ts";

/** An invoice of a customer; ids, times and amounts as in `Payments`. */
export interface ProcessorInvoice {
  readonly id: string;
  /** Null for an invoice without a subscription. */
  readonly subscriptionId: string | null;
  /** That of its subscription when the invoice was finalized; empty where the processor does not say. */
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
  readonly customerId: string;
  /** The printed number; null for a draft. */
  readonly number: string | null;
  readonly status: InvoiceStatus;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** After discounts and with taxes. */
  readonly total: number;
  readonly amountPaid: number;
  /** The total, less the customer's credit. */
  readonly amountDue: number;
  readonly createdAt: number;
  readonly paidAt: number | null;
  /**
   * The period sold, which is empty where none is (`sellsPeriod`). For a first and for a renewing invoice it begins about when the
   * invoice is created.
   */
  readonly periodStart: number;
  readonly periodEnd: number;
  /** Whether it renews a subscription; otherwise somebody began the period: a buyer, or `startSubscription`. */
  readonly isRenewal: boolean;
  /** Whether the processor charges it by itself, once more and again; false for a settled one. */
  readonly isCollected: boolean;
  /** When it was first attempted without success; null for a draft, and for one that was paid at once. */
  readonly failedAt: number | null;
  /** Pages for the customer; null for a draft. */
  readonly hostedUrl: string | null;
  readonly pdfUrl: string | null;
}

/** Whether an invoice sells a period. Others are of a change that was made at the processor, or made there by hand. */
export function sellsPeriod({
  periodStart,
  periodEnd,
}: Pick<ProcessorInvoice, "periodStart" | "periodEnd">): boolean {
  return periodEnd > periodStart;
}

export type InvoiceStatus = "draft" | "open" | "paid" | "uncollectible" | "void";

/** A payment of a customer. */
export interface ProcessorCharge {
  readonly id: string;
  /** The invoice it paid, and the invoice's subscription; null for a charge without an invoice. */
  readonly invoiceId: string | null;
  readonly subscriptionId: string | null;
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly amountRefunded: number;
  /** Whether the customer has ever disputed it at their bank. */
  readonly disputed: boolean;
  /** The latest dispute. */
  readonly dispute: ProcessorDispute | null;
  readonly createdAt: number;
  /** Newest first, without failed and canceled ones. */
  readonly refunds: readonly ProcessorRefund[];
}

/** A refund of a charge. */
export interface ProcessorRefund {
  readonly id: string;
  readonly amount: number;
  /** In the processor's words, for example `requested_by_customer`; null when none was given. */
  readonly reason: string | null;
  /** Free text of the person who made it here. */
  readonly note: string | null;
  /** The idempotency key of a refund made here; null for one made at the processor. */
  readonly idempotencyKey: string | null;
  readonly createdAt: number;
}

/** A dispute of a charge: the customer's bank takes the money back, until it decides for the seller. */
export interface ProcessorDispute {
  readonly amount: number;
  readonly status: DisputeStatus;
  /** When the bank stops taking the seller's evidence; null where it takes none. */
  readonly evidenceDueBy: number | null;
}

/** A refund or a dispute of a charge. */
export interface ProcessorReversal {
  readonly kind: "refund" | "dispute";
  readonly id: string;
  readonly chargeId: string;
  /** 0 for a refund that failed or was called off. */
  readonly amount: number;
  /** Null for a refund. */
  readonly status: DisputeStatus | null;
}
