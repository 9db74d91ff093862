import type { Invoice } from "#libs/contract/invoices.ts";
import type { InvoiceStatus } from "#libs/domain/invoice.ts";
import { formatMoney } from "../components/format.ts";

/** The names of the invoice statuses. */
export const INVOICE_WORDS: Readonly<
  Record<InvoiceStatus, { readonly color: string; readonly text: string }>
> = {
  draft: { color: "gray.6", text: "Draft" },
  open: { color: "yellow", text: "Open" },
  paid: { color: "teal", text: "Paid" },
  uncollectible: { color: "red", text: "Uncollectible" },
  void: { color: "gray.6", text: "Void" },
};

type Money = Pick<
  Invoice,
  "status" | "currency" | "total" | "amountPaid" | "amountDue" | "amountRefunded" | "disputed"
>;

/** Notes on an invoice's payments, refunds and disputes. */
export function invoiceNotes(invoice: Money): string[] {
  const { status, currency, total, amountPaid, amountDue, amountRefunded, disputed } = invoice;
  const notes: string[] = [];
  if (status === "open" && amountDue !== total) notes.push(`${formatMoney(amountDue, currency)} due`);
  if (status === "paid" && amountPaid !== total) notes.push(`${formatMoney(amountPaid, currency)} paid`);
  if (amountRefunded > 0) {
    notes.push(
      amountRefunded >= amountPaid ? "Refunded in full" : `${formatMoney(amountRefunded, currency)} refunded`,
    );
  }
  if (disputed) notes.push("Disputed at the bank");
  return notes;
}

/** The address of an advertiser's invoices as a file. */
export function invoicesFile(workspaceId: string, advertiserId: string, status?: InvoiceStatus): string {
  const search = new URLSearchParams({ advertiserId, ...(status === undefined ? {} : { status }) });
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/invoices.csv?${search}`;
}
