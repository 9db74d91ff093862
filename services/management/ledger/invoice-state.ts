import type { Selectable } from "kysely";
import type { ChargesTable, InvoicesTable } from "#libs/database/tables-ledger.ts";
import type { ProviderCharge, ProviderInvoice } from "#libs/payments/index.ts";

/** What the processor says of an invoice, as columns of ours. */
export function invoiceColumns(provider: ProviderInvoice) {
  return {
    number: provider.number,
    status: provider.status,
    currency: provider.currency,
    total: provider.total,
    amount_paid: provider.amountPaid,
    amount_due: provider.amountDue,
    issued_at: new Date(provider.createdAt),
    // What is paid has a month in which it was paid, also where the processor names no instant.
    paid_at: provider.status === "paid" ? new Date(provider.paidAt ?? provider.createdAt) : null,
    period_start: new Date(provider.periodStart),
    period_end: new Date(provider.periodEnd),
    hosted_url: provider.hostedUrl,
    pdf_url: provider.pdfUrl,
  };
}

/** Of an invoice of an erased advertiser: the processor's pages say who was billed. */
export const NO_LINKS = { hosted_url: null, pdf_url: null };

/** Whether the links of an invoice were removed: every issued one has a page at the processor. They stay away. */
export function hasLostLinks(row: Pick<Selectable<InvoicesTable>, "status" | "hosted_url">): boolean {
  return row.status !== "draft" && row.hosted_url === null;
}

type InvoiceState = Pick<Selectable<InvoicesTable>, keyof ReturnType<typeof invoiceColumns>>;

/** Whether the ledger already has all that the processor says of an invoice. */
export function hasInvoiceState(row: InvoiceState, provider: ProviderInvoice): boolean {
  const columns = { ...invoiceColumns(provider), ...(hasLostLinks(row) ? NO_LINKS : {}) };
  const current: InvoiceState = {
    number: row.number,
    status: row.status,
    currency: row.currency,
    total: row.total,
    amount_paid: row.amount_paid,
    amount_due: row.amount_due,
    issued_at: row.issued_at,
    paid_at: row.paid_at,
    period_start: row.period_start,
    period_end: row.period_end,
    hosted_url: row.hosted_url,
    pdf_url: row.pdf_url,
  };
  return JSON.stringify(current) === JSON.stringify(columns);
}

/** What the processor says of a charge, as columns of ours. */
export function chargeColumns(provider: ProviderCharge) {
  return { amount_refunded: provider.amountRefunded, disputed: provider.disputed };
}

/** Whether the ledger already has all that the processor says of a charge, down to its refunds. */
export function hasChargeState(
  row: Pick<Selectable<ChargesTable>, "amount_refunded" | "disputed">,
  refunds: readonly { readonly provider_refund_id: string; readonly amount: number }[],
  provider: ProviderCharge,
): boolean {
  const known = refunds.map((refund) => `${refund.provider_refund_id} ${refund.amount}`).toSorted();
  const said = provider.refunds.map((refund) => `${refund.id} ${refund.amount}`).toSorted();
  return (
    row.amount_refunded === provider.amountRefunded &&
    row.disputed === provider.disputed &&
    known.join() === said.join()
  );
}
