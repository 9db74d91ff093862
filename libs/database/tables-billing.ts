import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { Bill, StopReason } from "#libs/domain/charging.ts";
import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { DisputeStatus, InvoiceStatus } from "#libs/domain/invoice.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { Timestamp } from "./column-values.ts";

/** The object of a webhook event, to read at the payment processor; an invoice comes with its subscription, or null. */
export interface WebhookSubject {
  readonly kind: "checkout" | "subscription" | "invoice" | "charge" | "account" | "clock" | "other";
  readonly id: string | null;
  readonly subscriptionId?: string | null;
}

/** The kinds of objects that reconciliation repairs. */
export const REPAIR_KINDS = ["subscription", "checkout", "invoice", "charge", "tier"] as const;

export type RepairKind = (typeof REPAIR_KINDS)[number];

/** A count, and the ids of the first ones. */
export interface CountedIds {
  readonly count: number;
  readonly ids: readonly string[];
}

/** The numbers of objects that one reconciliation compared, what it repaired, and what failed. */
export interface ReconciliationReport {
  readonly accounts: number;
  readonly subscriptions: number;
  readonly checkouts: number;
  readonly repaired: Readonly<Record<RepairKind, CountedIds>>;
  readonly failed: CountedIds;
  /** Subscriptions that the processor leaves unpaid after its last attempt. */
  readonly leftUnpaid: CountedIds;
}

/** The part of an invoice that outlives its workspace. */
interface IssuedInvoice {
  id: string;
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
  /** When its charge failed, of a renewal that is still open. */
  renewal_failed_at: Date | null;
}

/** The tables of sales, payments and the payment processor's events. */
export interface BillingTables {
  checkout_sessions: {
    id: string;
    workspace_id: string;
    price_id: string;
    status: Generated<CheckoutStatus>;
    subscription_id: string | null;
    provider_account: string | null;
    /** When buyer and publisher are reminded if there is still no ad; null once that was looked at. */
    remind_at: Date | null;
    created_at: Timestamp;
    updated_at: Timestamp;
  };

  advertiser_links: {
    token_hash: Buffer;
    workspace_id: string;
    advertiser_id: string;
    expires_at: Date;
  };

  subscriptions: {
    id: string;
    workspace_id: string;
    advertiser_id: string;
    tier_id: string;
    price_id: string;
    provider_subscription_id: string;
    provider_account: string | null;
    sync_version: Generated<number>;
    claim: string | null;
    claimed_until: Date | null;
    status: SubscriptionStatus;
    cancel_at_period_end: Generated<boolean>;
    cancel_at: Date | null;
    canceled_at: Date | null;
    /** Null while it runs, and for one that ended before this was recorded. */
    ended_at: Date | null;
    cancellation_reason: string | null;
    cancellation_feedback: string | null;
    cancellation_comment: string | null;
    charge_at: Generated<ChargeAt>;
    awaits_approval: Generated<boolean>;
    renewal_failed_at: Date | null;
    /** Whether publisher and advertiser are to be told when the grace of a failed renewal ends. */
    tells_grace_end: Generated<boolean>;
    stop_reason: StopReason | null;
    stopped_at: Date | null;
    stop_bill: Bill | null;
    is_period_void: Generated<boolean>;
    is_collected: Generated<boolean>;
    /** The processor's id of the invoice whose charge has failed, until the period that it is for runs or another one is owed. */
    owed_invoice: string | null;
    /** The end of a period that serves uncharged, because the release before had voided it. */
    free_until: Date | null;
    cleared_at: Date | null;
    current_period_start: Date | null;
    current_period_end: Date | null;
    trial_end: Date | null;
    paid_amount: number | null;
    /** Since when a refund that was decided with its end waits for the processor; null for none. */
    refund_due_since: Date | null;
    /** What the page that began the purchase gave with it. */
    client_reference: string | null;
    metadata: JSONColumnType<Readonly<Record<string, string>>, string | undefined, string>;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** As its answers show it; kept by a trigger, as that of the other tables. */
    changed_at: GeneratedAlways<Date>;
  };

  connected_accounts: {
    workspace_id: string;
    account_id: string;
    charges_enabled: Generated<boolean>;
    payouts_enabled: Generated<boolean>;
    details_submitted: Generated<boolean>;
    created_at: Timestamp;
    sync_version: Generated<number>;
    updated_at: Timestamp;
  };

  invoices: IssuedInvoice & {
    workspace_id: string;
    advertiser_id: string;
    subscription_id: string;
    hosted_url: string | null;
    pdf_url: string | null;
    sync_version: Generated<number>;
    updated_at: Timestamp;
    changed_at: GeneratedAlways<Date>;
  };

  /** An invoice of a deleted workspace, without personal data. */
  retained_invoices: IssuedInvoice & {
    former_workspace_id: string;
    provider_account: string | null;
    amount_refunded: number;
    disputed: boolean;
  };

  charges: {
    provider_charge_id: string;
    workspace_id: string;
    invoice_id: string;
    amount_refunded: number;
    disputed: boolean;
    dispute_amount: number | null;
    dispute_status: DisputeStatus | null;
    dispute_due_at: Date | null;
    sync_version: Generated<number>;
    updated_at: Timestamp;
    changed_at: GeneratedAlways<Date>;
  };

  refunds: {
    id: string;
    workspace_id: string;
    provider_refund_id: string;
    provider_charge_id: string;
    amount: number;
    currency: string;
    reason: string | null;
    note: string | null;
    /** When the audit log named who made it here. */
    audited_at: Date | null;
    refunded_at: Date;
  };

  ledger_fills: {
    account: string;
    filled_at: Timestamp;
    /** Written for the release before, which reads everything where it is null. */
    reversals_filled_at: Date | null;
    /** When the last comparison began that succeeded, on the processor's clock; null before the first one. */
    compared_at: Date | null;
  };

  webhook_events: {
    id: string;
    type: string;
    subject: JSONColumnType<WebhookSubject>;
    provider_account: string | null;
    occurred_at: Date;
    received_at: ColumnType<Date, Date | undefined, Date>;
    applied_at: Date | null;
  };

  reconciliations: {
    id: string;
    started_at: Date | null;
    finished_at: Date | null;
    report: JSONColumnType<ReconciliationReport> | null;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
}
