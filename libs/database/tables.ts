import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ImageElsewhere } from "./tables-creative.ts";
import type { FaviconLookupsTable } from "./tables-favicons.ts";
import type { InstallationTable } from "./tables-installation.ts";
import type {
  ChargesTable,
  ConnectedAccountsTable,
  InvoicesTable,
  LedgerFillsTable,
  RefundsTable,
} from "./tables-ledger.ts";
import type { MonthlyReportsTable, ReportUnsubscribesTable } from "./tables-mails.ts";
import type {
  CredentialsTable,
  EmailChangesTable,
  PasskeysTable,
  PeopleTable,
  SessionsTable,
  TwoFactorsTable,
  VerificationsTable,
} from "./tables-people.ts";
import type { ErasedWorkspacesTable, RetainedInvoicesTable } from "./tables-privacy.ts";
import type { FieldsTable, PricesTable, TiersTable } from "./tables-tiers.ts";
import type { UploadsTable } from "./tables-uploads.ts";
import type { ReconciliationsTable, WebhookEventsTable } from "./tables-webhooks.ts";
import type { Timestamp } from "./timestamp.ts";

export interface WorkspacesTable {
  id: string;
  name: string;
  slug: string;
  website_url: string | null;
  favicon_url: string | null;
  currency: string;
  version: Generated<number>;
  audience_public: Generated<boolean>;
  impressions_per_minute: number | null;
  clicks_per_minute: number | null;
  muted_mails: Generated<MutableMail[]>;
  /** Since when it is being deleted. */
  erasing_since: Date | null;
  suspended_at: Date | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface MembersTable {
  id: string;
  workspace_id: string;
  person_id: string;
  role: MemberRole;
  created_at: Timestamp;
}

export interface ApiKeysTable {
  id: string;
  workspace_id: string;
  member_id: string;
  name: string;
  prefix: string;
  hash: Buffer;
  last_used_at: Date | null;
  created_at: Timestamp;
}

export interface AdvertisersTable {
  id: string;
  workspace_id: string;
  name: string;
  email: string | null;
  provider_customer_id: string | null;
  /** When name and address were removed. */
  erased_at: Date | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface SubscriptionsTable {
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
  cancellation_reason: string | null;
  cancellation_feedback: string | null;
  cancellation_comment: string | null;
  current_period_start: Date | null;
  current_period_end: Date | null;
  trial_end: Date | null;
  paid_amount: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface AdsTable {
  id: string;
  workspace_id: string;
  subscription_id: string;
  name: string;
  website_url: string;
  favicon_url: string | null;
  meta: JSONColumnType<Record<string, unknown>>;
  images_elsewhere: JSONColumnType<Record<string, ImageElsewhere>, string | undefined>;
  status: Generated<AdStatus>;
  reviewed_at: Date | null;
  rejection_note: string | null;
  serving_since: Date | null;
  serving_until: Date | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface CheckoutSessionsTable {
  id: string;
  workspace_id: string;
  price_id: string;
  status: Generated<CheckoutStatus>;
  subscription_id: string | null;
  provider_account: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface RevisionsTable {
  ad_id: string;
  workspace_id: string;
  name: string;
  website_url: string;
  meta: JSONColumnType<Record<string, unknown>>;
  images_elsewhere: JSONColumnType<Record<string, ImageElsewhere>, string | undefined>;
  note: string | null;
  submitted_at: Timestamp;
}

export interface InvitationsTable {
  id: string;
  workspace_id: string;
  email: string;
  role: MemberRole;
  token_hash: Buffer;
  invited_by: string | null;
  expires_at: Date;
  created_at: Timestamp;
}

/** The values of a resource's fields that a change touched. */
export type AuditValues = Readonly<Record<string, unknown>>;

export interface AuditLogTable {
  id: string;
  /** Null for what an operator did to the installation. */
  workspace_id: string | null;
  actor_kind: "person" | "key" | "advertiser" | "processor" | "operator";
  actor_id: string | null;
  actor_name: string;
  action: string;
  resource_kind: string;
  resource_id: string;
  before: ColumnType<AuditValues | null, string | null, never>;
  after: ColumnType<AuditValues | null, string | null, never>;
  occurred_at: Timestamp;
}

export interface IdempotencyKeysTable {
  caller: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  body: string | null;
  created_at: Timestamp;
}

/** Every table of ours, as kysely sees it. graphile-worker's live in a schema of their own. */
export interface Tables {
  people: PeopleTable;
  sessions: SessionsTable;
  credentials: CredentialsTable;
  verifications: VerificationsTable;
  two_factors: TwoFactorsTable;
  passkeys: PasskeysTable;
  email_changes: EmailChangesTable;
  workspaces: WorkspacesTable;
  members: MembersTable;
  api_keys: ApiKeysTable;
  tiers: TiersTable;
  prices: PricesTable;
  fields: FieldsTable;
  advertisers: AdvertisersTable;
  subscriptions: SubscriptionsTable;
  ads: AdsTable;
  checkout_sessions: CheckoutSessionsTable;
  webhook_events: WebhookEventsTable;
  reconciliations: ReconciliationsTable;
  revisions: RevisionsTable;
  uploads: UploadsTable;
  invitations: InvitationsTable;
  audit_log: AuditLogTable;
  idempotency_keys: IdempotencyKeysTable;
  connected_accounts: ConnectedAccountsTable;
  invoices: InvoicesTable;
  charges: ChargesTable;
  refunds: RefundsTable;
  ledger_fills: LedgerFillsTable;
  monthly_reports: MonthlyReportsTable;
  report_unsubscribes: ReportUnsubscribesTable;
  favicon_lookups: FaviconLookupsTable;
  installation: InstallationTable;
  erased_workspaces: ErasedWorkspacesTable;
  retained_invoices: RetainedInvoicesTable;
}
