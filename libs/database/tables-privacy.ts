import type { InvoiceStatus } from "#libs/domain/invoice.ts";

/** A workspace that is gone. */
export interface ErasedWorkspacesTable {
  id: string;
  erased_at: Date;
}

/** An invoice of a workspace that is gone, without anybody's name or address. */
export interface RetainedInvoicesTable {
  id: string;
  former_workspace_id: string;
  provider_account: string | null;
  provider_invoice_id: string;
  number: string | null;
  status: InvoiceStatus;
  currency: string;
  total: number;
  amount_paid: number;
  amount_due: number;
  amount_refunded: number;
  disputed: boolean;
  issued_at: Date;
  paid_at: Date | null;
  period_start: Date;
  period_end: Date;
}
