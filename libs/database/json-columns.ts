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

/** What an uploaded image was like when the store was last asked. */
export interface MeasuredUpload {
  /** The version of the file. */
  readonly version: string;
  /** Null for a damaged image. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** When that was, in milliseconds since the epoch, and why the image cannot be shown. Older releases write only what is above. */
  readonly looked?: { readonly at: number; readonly problem: string | null };
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
