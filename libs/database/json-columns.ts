// The shapes of JSON in columns.

/** The values of a resource's fields that a change touched. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** A submitted image at an external address that we have not copied yet. */
export interface ExternalImage {
  readonly address: string;
  /** Failed attempts to copy it. */
  readonly attempts: number;
  /** When it is tried next, in ISO 8601; null after the last attempt. */
  readonly dueAt: string | null;
  /** The error of the last attempt, as a sentence; null before the first. */
  readonly problem: string | null;
}

/** A submission that changes were requested of. */
export interface NotedSubmission {
  /** The requested changes. */
  readonly note: string;
  readonly name: string;
  readonly website_url: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly images_elsewhere: Readonly<Record<string, ExternalImage>>;
}

/** The size of an uploaded image, null for a damaged one, and the version of its file that has it. */
export interface MeasuredUpload {
  readonly version: string;
  readonly size: { readonly width: number; readonly height: number } | null;
}

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
