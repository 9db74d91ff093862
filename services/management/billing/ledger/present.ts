import { type Options, stringify } from "csv-stringify/sync";
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
    advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email },
    hostedUrl: row.hosted_url,
    pdfUrl: row.pdf_url,
  };
}

const COLUMNS = [
  "id",
  "number",
  "status",
  "currency",
  "total",
  "amountPaid",
  "amountDue",
  "amountRefunded",
  "disputed",
  "issuedAt",
  "paidAt",
  "periodStart",
  "periodEnd",
  "subscriptionId",
  "advertiserId",
  "advertiserName",
  "advertiserEmail",
  "hostedUrl",
  "pdfUrl",
  "disputeAmount",
  "disputeStatus",
  "disputeEvidenceDueBy",
] as const;

const FORMAT: Options = {
  columns: [...COLUMNS],
  record_delimiter: "\r\n",
  // The advertiser chooses the name, and spreadsheets run text that begins like a formula.
  escape_formulas: true,
  cast: { boolean: String },
};

/**
 * Invoices as CSV (RFC 4180, UTF-8 with a byte order mark, one line of headings). `next` returns the rows after a given one,
 * undefined for the start, and none at the end. It is called whenever the reader is ready, so an export of any length needs
 * the memory of a few parts. Rejects if the first call does; a later failure aborts the stream.
 */
export async function streamCsv(
  next: (after: LedgerRow | undefined) => Promise<LedgerRow[]>,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let rows = await next(undefined);
  const head = stringify(rows.map(toLine), { ...FORMAT, header: true, bom: true });
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      rows = rows.length === 0 ? [] : await next(rows.at(-1));
      if (rows.length === 0) controller.close();
      else controller.enqueue(encoder.encode(stringify(rows.map(toLine), FORMAT)));
    },
  });
}

function toLine(row: LedgerRow): Record<(typeof COLUMNS)[number], string | number | boolean | null> {
  const { advertiser, refunds: _refunds, dispute, ...invoice } = presentInvoice(row);
  return {
    ...invoice,
    advertiserId: advertiser.id,
    advertiserName: advertiser.name,
    advertiserEmail: advertiser.email,
    disputeAmount: dispute?.amount ?? null,
    disputeStatus: dispute?.status ?? null,
    disputeEvidenceDueBy: dispute?.evidenceDueBy ?? null,
  };
}
