/** As the processor has it; only a `paid` one has been charged. */
export const INVOICE_STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Why a refund is made, in the processor's words. */
export const REFUND_REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

/**
 * What has become of a dispute at the bank. `inquiry`: the bank only asks, and has taken nothing. `won` also where it was withdrawn or
 * nothing was taken in the end.
 */
export const DISPUTE_STATUSES = ["inquiry", "needs_response", "under_review", "won", "lost"] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/**
 * Whether the bank has taken a payment back: from its dispute on, until the bank decides for the seller. What it only asks about can
 * be refunded, which settles the question.
 */
export function isChargedBack(dispute: { readonly status: DisputeStatus } | null): boolean {
  return dispute !== null && dispute.status !== "won" && dispute.status !== "inquiry";
}

/** The disputes that the bank has not decided. */
export const OPEN_DISPUTES = [
  "inquiry",
  "needs_response",
  "under_review",
] as const satisfies readonly DisputeStatus[];

export function isOpenDispute(status: DisputeStatus): boolean {
  return OPEN_DISPUTES.some((open) => open === status);
}
