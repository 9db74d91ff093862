import type { Generated } from "kysely";
import type { InvoiceStatus } from "#libs/domain/invoice.ts";
import type { Timestamp } from "./timestamp.ts";

export interface ConnectedAccountsTable {
  workspace_id: string;
  account_id: string;
  charges_enabled: Generated<boolean>;
  payouts_enabled: Generated<boolean>;
  details_submitted: Generated<boolean>;
  created_at: Timestamp;
  sync_version: Generated<number>;
  updated_at: Timestamp;
}

export interface InvoicesTable {
  id: string;
  workspace_id: string;
  advertiser_id: string;
  subscription_id: string;
  provider_invoice_id: string;
  number: string | null;
  status: InvoiceStatus;
  currency: string;
  total: number;
  amount_paid: number;
  amount_due: number;
  issued_at: Date;
  paid_at: Date | null;
  period_start: Date;
  period_end: Date;
  hosted_url: string | null;
  pdf_url: string | null;
  sync_version: Generated<number>;
  updated_at: Timestamp;
}

export interface ChargesTable {
  provider_charge_id: string;
  workspace_id: string;
  invoice_id: string;
  amount_refunded: number;
  disputed: boolean;
  sync_version: Generated<number>;
  updated_at: Timestamp;
}

export interface RefundsTable {
  id: string;
  workspace_id: string;
  provider_refund_id: string;
  provider_charge_id: string;
  amount: number;
  currency: string;
  reason: string | null;
  refunded_at: Date;
}

export interface LedgerFillsTable {
  account: string;
  filled_at: Timestamp;
}
