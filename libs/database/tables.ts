// The columns of every table of ours, as kysely sees them. Written by `npm run schema`, compared by a test.

import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { GraceChange } from "#libs/domain/eligibility.ts";
import type { IconType } from "#libs/domain/image.ts";
import type { ImageRules } from "#libs/domain/image-rules.ts";
import type { DisputeStatus } from "#libs/domain/invoice.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import type {
  AuditValues,
  ExternalImage,
  MeasuredUpload,
  NotedSubmission,
  ReconciliationReport,
  WebhookSubject,
} from "./json-columns.ts";

export interface Tables {
  ad_alerts: {
    ad_id: string;
    workspace_id: string;
    alert: "unseen" | "invalid";
  };
  ads: {
    id: string;
    workspace_id: string;
    subscription_id: string;
    name: string;
    website_url: string;
    favicon_url: string | null;
    meta: JSONColumnType<Record<string, unknown>>;
    status: Generated<"Pending" | "Approved" | "Rejected">;
    reviewed_at: Date | null;
    rejection_note: string | null;
    serving_since: Date | null;
    serving_until: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    images_elsewhere: JSONColumnType<Record<string, ExternalImage>, string | undefined>;
    version: Generated<number>;
    submitted_at: Date | null;
    previous: JSONColumnType<NotedSubmission | null, string | null | undefined, string | null>;
    changed_at: GeneratedAlways<Date>;
    address_bytes: GeneratedAlways<number>;
  };
  advertiser_links: {
    token_hash: Buffer;
    workspace_id: string;
    advertiser_id: string;
    expires_at: Date;
  };
  advertisers: {
    id: string;
    workspace_id: string;
    name: string;
    email: string | null;
    provider_customer_id: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    erased_at: Date | null;
    changed_at: GeneratedAlways<Date>;
    report_email: Generated<"week" | "month">;
  };
  api_keys: {
    id: string;
    workspace_id: string;
    member_id: string;
    name: string;
    prefix: string;
    hash: Buffer;
    last_used_at: Date | null;
    created_at: Generated<Date>;
    kind: Generated<"api" | "tracking">;
  };
  audit_log: {
    id: string;
    workspace_id: string | null;
    actor_kind: "person" | "key" | "advertiser" | "processor" | "operator";
    actor_id: string | null;
    actor_name: string;
    action: string;
    resource_kind: string;
    resource_id: string;
    before: ColumnType<AuditValues | null, string | null, never>;
    after: ColumnType<AuditValues | null, string | null, never>;
    occurred_at: Generated<Date>;
  };
  charges: {
    provider_charge_id: string;
    workspace_id: string;
    invoice_id: string;
    amount_refunded: number;
    disputed: boolean;
    sync_version: Generated<number>;
    updated_at: Generated<Date>;
    dispute_amount: number | null;
    dispute_status: DisputeStatus | null;
    dispute_due_at: Date | null;
    changed_at: GeneratedAlways<Date>;
  };
  checkout_sessions: {
    id: string;
    workspace_id: string;
    price_id: string;
    status: Generated<"open" | "complete" | "expired">;
    subscription_id: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    provider_account: string | null;
    remind_at: Date | null;
    letters_withheld: Generated<boolean>;
  };
  connected_accounts: {
    workspace_id: string;
    account_id: string;
    charges_enabled: Generated<boolean>;
    payouts_enabled: Generated<boolean>;
    details_submitted: Generated<boolean>;
    sync_version: Generated<number>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    gone_since: Date | null;
  };
  corrections: {
    id: string;
    workspace_id: string;
    ad_id: string;
    first_day: string;
    last_day: string;
    reason: string;
    is_proposal: Generated<boolean>;
    status: "Proposed" | "Applied" | "Dismissed";
    created_at: Generated<Date>;
  };
  credentials: {
    id: string;
    person_id: string;
    provider_id: string;
    account_id: string;
    password: string | null;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: Date | null;
    refresh_token_expires_at: Date | null;
    scope: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  digest_lines: {
    id: Generated<number>;
    workspace_id: string;
    kind: PublisherMail;
    line: string;
    created_at: Generated<Date>;
  };
  dropped_mails: {
    id: Generated<number>;
    workspace_id: string;
    recipient: "publisher" | "advertiser";
    kind: string;
    reason: "limit" | "refused" | "unsent";
    dropped_at: Generated<Date>;
  };
  email_changes: {
    person_id: string;
    new_email: string;
    token_hash: Buffer;
    expires_at: Date;
  };
  erased_workspaces: {
    id: string;
    erased_at: Date;
    refunds: boolean | null;
  };
  favicon_lookups: {
    page: string;
    host: string;
    outcome: "found" | "none" | "unreachable";
    content_type: IconType | null;
    bytes: Buffer | null;
    asked_at: Date;
  };
  fields: {
    id: string;
    workspace_id: string;
    key: string;
    name: string;
    type: "Text" | "Textarea" | "Url" | "Email" | "Number" | "Switch" | "Select" | "Image" | "Date" | "Color";
    description: Generated<string>;
    default: Generated<string>;
    placeholder: Generated<string>;
    is_required: Generated<boolean>;
    is_publisher_only: Generated<boolean>;
    order: number;
    options: JSONColumnType<string[]>;
    max_length: number | null;
    min: number | null;
    max: number | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    image: ColumnType<ImageRules | null, string | null | undefined, string | null>;
  };
  idempotency_keys: {
    caller: string;
    key: string;
    request_hash: Buffer;
    status: number | null;
    body: string | null;
    created_at: Generated<Date>;
  };
  installation: {
    is_only: Generated<boolean>;
    id: string;
    checkpoint: number;
    log_end: number;
    known_damage: ColumnType<string[], string | undefined, string>;
    noted_at: Generated<Date>;
  };
  invitations: {
    id: string;
    workspace_id: string;
    email: string;
    role: "Owner" | "Manager" | "Viewer";
    token_hash: Buffer;
    invited_by: string | null;
    expires_at: Date;
    created_at: Generated<Date>;
  };
  invoices: {
    id: string;
    workspace_id: string;
    advertiser_id: string;
    subscription_id: string;
    provider_invoice_id: string;
    number: string | null;
    status: "draft" | "open" | "paid" | "uncollectible" | "void";
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
    updated_at: Generated<Date>;
    changed_at: GeneratedAlways<Date>;
    renewal_failed_at: Date | null;
  };
  ledger_fills: {
    account: string;
    filled_at: Generated<Date>;
    reversals_filled_at: Date | null;
    compared_at: Date | null;
  };
  members: {
    id: string;
    workspace_id: string;
    person_id: string;
    role: "Owner" | "Manager" | "Viewer";
    created_at: Generated<Date>;
    report_emails: Generated<("week" | "month")[]>;
  };
  monthly_reports: {
    advertiser_id: string | null;
    month: string;
    workspace_id: string;
    queued_at: Generated<Date>;
    id: Generated<number>;
    member_id: string | null;
  };
  passkeys: {
    id: string;
    person_id: string;
    name: string | null;
    public_key: string;
    credential_id: string;
    counter: number;
    device_type: string;
    backed_up: boolean;
    transports: string | null;
    aaguid: string | null;
    created_at: Generated<Date>;
  };
  people: {
    id: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    image: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    suspended_at: Date | null;
    two_factor_enabled: Generated<boolean>;
    admitted_by: string | null;
  };
  prices: {
    id: string;
    workspace_id: string;
    tier_id: string;
    interval: "Day" | "Week" | "Month" | "Year";
    interval_count: number;
    amount: number;
    currency: string;
    is_active: Generated<boolean>;
    provider_price_id: string | null;
    created_at: Generated<Date>;
    provider_active: Generated<boolean>;
    provider_account: string | null;
  };
  reconciliations: {
    id: string;
    started_at: Date | null;
    finished_at: Date | null;
    report: JSONColumnType<ReconciliationReport> | null;
    created_at: Generated<Date>;
  };
  refunds: {
    id: string;
    workspace_id: string;
    provider_refund_id: string;
    provider_charge_id: string;
    amount: number;
    currency: string;
    reason: string | null;
    refunded_at: Date;
    note: string | null;
    audited_at: Date | null;
  };
  report_links: {
    ad_id: string;
    workspace_id: string;
    salt: string;
    created_at: Generated<Date>;
  };
  report_unsubscribes: {
    advertiser_id: string;
    workspace_id: string;
    created_at: Generated<Date>;
    by_link: Generated<boolean>;
  };
  retained_invoices: {
    id: string;
    former_workspace_id: string;
    provider_account: string | null;
    provider_invoice_id: string;
    number: string | null;
    status: "draft" | "open" | "paid" | "uncollectible" | "void";
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
  };
  revisions: {
    ad_id: string;
    workspace_id: string;
    name: string;
    website_url: string;
    meta: JSONColumnType<Record<string, unknown>>;
    note: string | null;
    submitted_at: Generated<Date>;
    images_elsewhere: JSONColumnType<Record<string, ExternalImage>, string | undefined>;
    version: Generated<number>;
    previous: JSONColumnType<NotedSubmission | null, string | null | undefined, string | null>;
  };
  sessions: {
    id: string;
    person_id: string;
    token: string;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  subscriptions: {
    id: string;
    workspace_id: string;
    advertiser_id: string;
    tier_id: string;
    price_id: string;
    provider_subscription_id: string;
    status: "Trialing" | "Active" | "PastDue" | "Canceled" | "Unpaid" | "Incomplete" | "IncompleteExpired" | "Paused";
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
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    sync_version: Generated<number>;
    claim: string | null;
    claimed_until: Date | null;
    provider_account: string | null;
    charge_at: Generated<"purchase" | "approval">;
    awaits_approval: Generated<boolean>;
    renewal_failed_at: Date | null;
    tells_grace_end: Generated<boolean>;
    stop_reason: "paused" | "resumed" | "unpaid" | null;
    stopped_at: Date | null;
    stop_bill: "paid" | "open" | "collected" | "void" | null;
    is_period_void: Generated<boolean>;
    cleared_at: Date | null;
    refund_due_since: Date | null;
    free_until: Date | null;
    client_reference: string | null;
    metadata: JSONColumnType<Readonly<Record<string, string>>, string | undefined, string>;
    changed_at: GeneratedAlways<Date>;
    ended_at: Date | null;
    is_collected: Generated<boolean>;
    owed_invoice: string | null;
    missing_since: Date | null;
  };
  tiers: {
    id: string;
    workspace_id: string;
    name: string;
    description: Generated<string>;
    weight: number;
    order: number;
    is_active: Generated<boolean>;
    features: JSONColumnType<TierFeature[]>;
    provider_product_id: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    provider_active: Generated<boolean>;
    provider_account: string | null;
  };
  two_factors: {
    id: string;
    person_id: string;
    secret: string;
    recovery_codes: string;
    verified: Generated<boolean>;
    failed_verifications: Generated<number>;
    locked_until: Date | null;
    last_step: number | null;
  };
  uploads: {
    key: string;
    workspace_id: string;
    granted_at: Date;
    due_at: Date;
    bytes: Generated<number>;
    arrived_at: Date | null;
    checkout_session_id: string | null;
    measured: JSONColumnType<MeasuredUpload | null, string | undefined>;
    is_free: Generated<boolean>;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  webhook_events: {
    id: string;
    type: string;
    subject: JSONColumnType<WebhookSubject>;
    occurred_at: Date;
    received_at: Generated<Date>;
    applied_at: Date | null;
    provider_account: string | null;
  };
  workspaces: {
    id: string;
    name: string;
    slug: string;
    website_url: string | null;
    favicon_url: string | null;
    currency: string;
    version: Generated<number>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    audience_public: Generated<boolean>;
    impressions_per_minute: number | null;
    clicks_per_minute: number | null;
    muted_mails: Generated<("purchase" | "adWaiting" | "paymentFailed" | "subscriptionCanceled" | "adAlert" | "monthlyReports")[]>;
    suspended_at: Date | null;
    erasing_since: Date | null;
    charge_at: Generated<"purchase" | "approval">;
    renewal_grace_days: Generated<number>;
    contact_email: string | null;
    site_host: string | null;
    site_seen_at: Date | null;
    utm_source: string | null;
    utm_medium: string | null;
    utm_campaign: string | null;
    require_proof: Generated<boolean>;
    erasing_refunds: boolean | null;
    media_kit: ColumnType<MediaKit, string | undefined, string>;
    saved_replies: Generated<string[]>;
    closed_at: Date | null;
    erasing_owner: string | null;
    grace_changes: ColumnType<GraceChange[], string | undefined, string>;
    time_zone: string | null;
    record_pages: Generated<boolean>;
    count_visitors: Generated<boolean>;
    advertiser_splits: Generated<("placement" | "path" | "referrer" | "country" | "device" | "browser")[]>;
    alert_hours: Generated<number>;
    alert_invalid_percent: Generated<number>;
  };
}
