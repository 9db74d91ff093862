import type { ColumnType, JSONColumnType } from "kysely";

/**
 * What an event of the payment processor is about; its state is read from the processor when the event is applied. Of an
 * invoice the subscription is kept too, null where it bills none.
 */
export interface WebhookSubject {
  readonly kind: "checkout" | "subscription" | "invoice" | "charge" | "account" | "other";
  readonly id: string | null;
  readonly subscriptionId?: string | null;
}

export interface WebhookEventsTable {
  id: string;
  type: string;
  subject: JSONColumnType<WebhookSubject>;
  provider_account: string | null;
  occurred_at: Date;
  received_at: ColumnType<Date, Date | undefined, Date>;
  applied_at: Date | null;
}

/** What a comparison with the payment processor repairs. */
export const REPAIR_KINDS = ["subscription", "checkout", "invoice", "tier"] as const;
export type RepairKind = (typeof REPAIR_KINDS)[number];

/** So many, and the ids of the first of them. */
export interface CountedIds {
  readonly count: number;
  readonly ids: readonly string[];
}

/** What one comparison looked at, what it repaired, and what could not be compared. */
export interface ReconciliationReport {
  readonly accounts: number;
  readonly subscriptions: number;
  readonly checkouts: number;
  readonly repaired: Readonly<Record<RepairKind, CountedIds>>;
  readonly failed: CountedIds;
}

export interface ReconciliationsTable {
  id: string;
  started_at: Date | null;
  finished_at: Date | null;
  report: JSONColumnType<ReconciliationReport> | null;
  created_at: ColumnType<Date, Date | undefined, Date>;
}
