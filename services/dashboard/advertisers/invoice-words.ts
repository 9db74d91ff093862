import type { Invoice } from "#libs/contract/invoices.ts";
import { type InvoiceStatus, isChargedBack } from "#libs/domain/invoice.ts";
import { formatDate, formatMoney } from "../components/format.ts";

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
  "status" | "currency" | "total" | "amountPaid" | "amountDue" | "amountRefunded" | "disputed" | "dispute"
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
  if (disputed) notes.push(disputeNote(invoice));
  return notes;
}

function disputeNote({ dispute, currency }: Pick<Money, "dispute" | "currency">): string {
  if (dispute === null) return "Disputed at the bank";
  const { status, evidenceDueBy } = dispute;
  const amount = formatMoney(dispute.amount, currency);
  switch (status) {
    case "inquiry":
      return evidenceDueBy === null
        ? "Bank inquiry"
        : `Bank inquiry: respond by ${formatDate(evidenceDueBy)} or refund it`;
    case "needs_response":
      return evidenceDueBy === null
        ? `${amount} disputed`
        : `${amount} disputed, evidence due by ${formatDate(evidenceDueBy)}`;
    case "under_review":
      return `${amount} disputed, the bank is reviewing it`;
    case "won":
      return "Dispute won";
    case "lost":
      return `Dispute lost: ${amount} went back`;
  }
}

/** What can be refunded of an invoice. The payment processor has the last word. */
export function amountLeft({ status, amountPaid, amountRefunded, dispute }: Money): number {
  return status !== "paid" || isChargedBack(dispute) ? 0 : Math.max(0, amountPaid - amountRefunded);
}

/** What of the workspace's invoices is in view. */
export interface InvoiceView {
  readonly advertiserId?: string | undefined;
  readonly status?: InvoiceStatus | undefined;
  readonly query?: string | undefined;
}

/** The address of these invoices as a file. */
export function invoicesFile(workspaceId: string, view: InvoiceView): string {
  const { advertiserId, status, query } = view;
  const search = new URLSearchParams({
    ...(advertiserId === undefined ? {} : { advertiserId }),
    ...(status === undefined ? {} : { status }),
    ...(query === undefined ? {} : { query }),
  });
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/invoices.csv?${search}`;
}
