import type { z } from "zod";
import type { invoice } from "#libs/contract/invoices.ts";
import type { InvoiceStatus } from "#libs/domain/invoice.ts";
import { formatMoney } from "../shell/format.ts";

export type Invoice = z.output<typeof invoice>;

/** What people call the states of an invoice. */
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

/** What is worth knowing of an invoice's money beside its total, in sentences. */
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

/** Where the browser downloads an advertiser's invoices as a file. */
export function invoicesFile(workspaceId: string, advertiserId: string, status?: InvoiceStatus): string {
  const search = new URLSearchParams({ advertiserId, ...(status === undefined ? {} : { status }) });
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/invoices.csv?${search}`;
}
