import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { jsonCell, streamCsv } from "../../api/csv.ts";
import { partTurnsOf } from "../../api/turns.ts";
import { presentInvoice } from "./present.ts";
import { type InvoiceFilter, type LedgerRow, listInvoices } from "./queries.ts";
import { listRefunds, presentRefund, type RefundFilter } from "./refund-list.ts";

/** Rows read at a time for an export. */
const EXPORT_PART = { page: 1, perPage: 500, isUncounted: true };

/** Invoices that match a filter as CSV, newest first. */
export async function invoicesCsv(db: Kysely<Tables>, workspaceId: string, filter: InvoiceFilter) {
  return await streamCsv(await partTurnsOf(db, workspaceId), INVOICE_COLUMNS, async (after) => {
    const { envelope, rows } = await listInvoices(db, workspaceId, filter, { ...EXPORT_PART, after });
    return { lines: rows.map(invoiceLine), next: envelope.nextCursor };
  });
}

/** Refunds that match a filter as CSV, newest first. */
export async function refundsCsv(db: Kysely<Tables>, workspaceId: string, filter: RefundFilter) {
  return await streamCsv(await partTurnsOf(db, workspaceId), REFUND_COLUMNS, async (after) => {
    const { envelope, rows } = await listRefunds(db, workspaceId, filter, { ...EXPORT_PART, after });
    const lines = rows.map((row) => {
      const { advertiser, metadata, ...refund } = presentRefund(row);
      return { ...refund, metadata: jsonCell(metadata), ...advertiserColumns(advertiser) };
    });
    return { lines, next: envelope.nextCursor };
  });
}

export const INVOICE_COLUMNS = [
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
  "adId",
  "clientReference",
  "metadata",
] as const;

const REFUND_COLUMNS = [
  "id",
  "refundedAt",
  "amount",
  "currency",
  "reason",
  "note",
  "invoiceId",
  "invoiceNumber",
  "subscriptionId",
  "adId",
  "clientReference",
  "metadata",
  "advertiserId",
  "advertiserName",
  "advertiserEmail",
] as const;

/** A line of the file of invoices. */
export function invoiceLine(row: LedgerRow) {
  const { advertiser, refunds: _refunds, dispute, metadata, ...invoice } = presentInvoice(row);
  return {
    ...invoice,
    ...advertiserColumns(advertiser),
    metadata: jsonCell(metadata),
    disputeAmount: dispute?.amount ?? null,
    disputeStatus: dispute?.status ?? null,
    disputeEvidenceDueBy: dispute?.evidenceDueBy ?? null,
  };
}

function advertiserColumns({
  id,
  name,
  email,
}: {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}) {
  return { advertiserId: id, advertiserName: name, advertiserEmail: email };
}
