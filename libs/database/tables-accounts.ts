import type { ColumnType, Generated } from "kysely";
import type { KeyKind } from "#libs/domain/api-key.ts";
import type { ActorKind } from "#libs/domain/audit.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { ChargeAt, MutableMail } from "#libs/domain/settings.ts";
import type { Timestamp } from "./column-values.ts";

/** The values of a resource's fields that a change touched. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** The tables of people and workspaces, and of the installation. */
export interface AccountTables {
  people: {
    id: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    image: string | null;
    suspended_at: Date | null;
    /** Unique: the id of the invitation, or `set-up`. Null where anybody may sign up. */
    admitted_by: string | null;
    two_factor_enabled: Generated<boolean>;
    created_at: Timestamp;
    updated_at: Timestamp;
  };

  sessions: {
    id: string;
    person_id: string;
    token: string;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Timestamp;
    updated_at: Timestamp;
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
    created_at: Timestamp;
    updated_at: Timestamp;
  };

  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
    created_at: Timestamp;
    updated_at: Timestamp;
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
    created_at: Timestamp;
  };

  email_changes: {
    person_id: string;
    new_email: string;
    token_hash: Buffer;
    expires_at: Date;
  };

  workspaces: {
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
    charge_at: Generated<ChargeAt>;
    renewal_grace_days: Generated<number>;
    /** When the grace was last shortened, by the processor's clock, and the days that it had until then. */
    grace_cut_at: Date | null;
    grace_days_before: number | null;
    require_proof: Generated<boolean>;
    utm_source: string | null;
    utm_medium: string | null;
    utm_campaign: string | null;
    contact_email: string | null;
    saved_replies: Generated<string[]>;
    media_kit: ColumnType<MediaKit, string | undefined, string>;
    /** When its deletion began. */
    erasing_since: Date | null;
    /** When the deletion began, on the payment processor's clock. */
    closed_at: Date | null;
    /** Whether its deletion refunds the rest of what was paid. */
    erasing_refunds: boolean | null;
    /** Who owned it when its deletion began. */
    erasing_owner: string | null;
    suspended_at: Date | null;
    /** The host of a page that showed its placements, and when it last did. */
    site_host: string | null;
    site_seen_at: Date | null;
    created_at: Timestamp;
    updated_at: Timestamp;
  };

  /** A deleted workspace. */
  erased_workspaces: {
    id: string;
    erased_at: Date;
    /** Whether the advertisers got back what was left of their payments; null if that was not recorded. */
    refunds: boolean | null;
  };

  members: {
    id: string;
    workspace_id: string;
    person_id: string;
    role: MemberRole;
    created_at: Timestamp;
  };

  invitations: {
    id: string;
    workspace_id: string;
    email: string;
    role: MemberRole;
    token_hash: Buffer;
    invited_by: string | null;
    expires_at: Date;
    created_at: Timestamp;
  };

  api_keys: {
    id: string;
    workspace_id: string;
    member_id: string;
    name: string;
    kind: Generated<KeyKind>;
    prefix: string;
    hash: Buffer;
    last_used_at: Date | null;
    created_at: Timestamp;
  };

  audit_log: {
    id: string;
    /** Null for an operator's change to the installation. */
    workspace_id: string | null;
    actor_kind: ActorKind;
    actor_id: string | null;
    actor_name: string;
    action: string;
    resource_kind: string;
    resource_id: string;
    before: ColumnType<AuditValues | null, string | null, never>;
    after: ColumnType<AuditValues | null, string | null, never>;
    occurred_at: Timestamp;
  };

  idempotency_keys: {
    caller: string;
    key: string;
    request_hash: Buffer;
    status: number | null;
    body: string | null;
    created_at: Timestamp;
  };

  /** One row, or none before the first note. */
  installation: {
    is_only: Generated<boolean>;
    id: string;
    checkpoint: number;
    log_end: number;
    known_damage: ColumnType<string[], string | undefined, string>;
    noted_at: Timestamp;
  };
}
