import type { LedgerRow } from "./queries.ts";

/** An invoice of the ledger as the API shows it. */
export function presentInvoice(row: LedgerRow) {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    currency: row.currency,
    total: row.total,
    amountPaid: row.amount_paid,
    amountDue: row.amount_due,
    amountRefunded: row.amount_refunded,
    disputed: row.disputed,
    dispute: row.dispute && {
      amount: row.dispute.amount,
      status: row.dispute.status,
      evidenceDueBy: row.dispute.dueAt?.toISOString() ?? null,
    },
    refunds: row.refunds.map((refund) => ({
      id: refund.id,
      amount: refund.amount,
      reason: refund.reason,
      note: refund.note,
      refundedAt: refund.refunded_at.toISOString(),
    })),
    issuedAt: row.issued_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    periodStart: row.period_start.toISOString(),
    periodEnd: row.period_end.toISOString(),
    subscriptionId: row.subscription_id,
    adId: row.ad_id,
    clientReference: row.client_reference,
    metadata: { ...row.metadata },
    advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email },
    hostedUrl: row.hosted_url,
    pdfUrl: row.pdf_url,
  };
}
