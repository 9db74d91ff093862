/** What a customer was asked for; ids, times and amounts as in `Payments`. */
export interface ProviderInvoice {
  readonly id: string;
  /** Null for one that no subscription has made. */
  readonly subscriptionId: string | null;
  readonly customerId: string;
  /** As printed on it; null for a draft. */
  readonly number: string | null;
  readonly status: InvoiceStatus;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** After discounts and with taxes. */
  readonly total: number;
  readonly amountPaid: number;
  /** What of the total is to be paid, less what the customer has in credit. */
  readonly amountDue: number;
  readonly createdAt: number;
  readonly paidAt: number | null;
  /** The period that was sold, which for the first and for a renewing invoice begins about when it is made. */
  readonly periodStart: number;
  readonly periodEnd: number;
  /** Pages for the customer; null for a draft. */
  readonly hostedUrl: string | null;
  readonly pdfUrl: string | null;
}

export type InvoiceStatus = "draft" | "open" | "paid" | "uncollectible" | "void";

/** Money that was taken from a customer. */
export interface ProviderCharge {
  readonly id: string;
  /** The invoice that it paid, and that one's subscription; null for a charge that paid none. */
  readonly invoiceId: string | null;
  readonly subscriptionId: string | null;
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly amountRefunded: number;
  /** Whether the customer has ever disputed it at their bank. */
  readonly disputed: boolean;
  readonly createdAt: number;
  /** Newest first, without those that failed or were called off. */
  readonly refunds: readonly ProviderRefund[];
}

/** Money that was given back. */
export interface ProviderRefund {
  readonly id: string;
  readonly amount: number;
  /** The processor's word, for example `requested_by_customer`; null when none was given. */
  readonly reason: string | null;
  readonly createdAt: number;
}
