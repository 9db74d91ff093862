import { type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** The person, workspace or advertiser whose data an export contains. */
export type Subject =
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "workspace"; readonly id: string }
  | { readonly kind: "advertiser"; readonly id: string; readonly workspaceId: string };

type Condition = RawBuilder<boolean>;

/** The condition for the rows of a table that belong to a subject, or the reason why its export has none of them. */
type Rows = ((id: string, workspaceId: string) => Condition) | string;

interface TableRule<Name extends keyof Tables> {
  /** Unique columns; rows are read in their order, a page at a time. */
  readonly key: readonly (keyof Tables[Name] & string)[];
  /** Rows in memory at a time where they are large. Default 500. */
  readonly rowsInAPart?: number;
  /** Secrets, hashes and bytes, which no export contains. */
  readonly hidden?: readonly (keyof Tables[Name] & string)[];
  /** Columns left out of a workspace's export as well: they concern its members, not the workspace. */
  readonly hiddenFromWorkspace?: readonly (keyof Tables[Name] & string)[];
  readonly person: Rows;
  readonly workspace: Rows;
  readonly advertiser: Rows;
}

const THE_PUBLISHERS = "It is the publisher's data.";
const NO_PERSONAL_DATA = "It says nothing about a person.";
const THE_INSTALLATIONS = "It belongs to no workspace and to no person.";
const A_DAY_AT_MOST = "It is kept for a day at most, to answer repetitions.";
const MEMBERS_OWN = "It is the member's own.";
const DELETED_WORKSPACES = "It is about deleted workspaces.";

const inWorkspace = (id: string): Condition => sql`workspace_id = ${id}`;
const ofPerson = (id: string): Condition => sql`person_id = ${id}`;
const ofAdvertiser = (id: string, workspaceId: string): Condition =>
  sql`workspace_id = ${workspaceId} and advertiser_id = ${id}`;
const subscriptionsOf = (id: string, workspaceId: string) =>
  sql`(select id from subscriptions where workspace_id = ${workspaceId} and advertiser_id = ${id})`;
const ofAdvertisersSubscriptions = (id: string, workspaceId: string): Condition =>
  sql`workspace_id = ${workspaceId} and subscription_id in ${subscriptionsOf(id, workspaceId)}`;
const adsOf = (id: string, workspaceId: string) =>
  sql`(select id from ads where workspace_id = ${workspaceId} and subscription_id in ${subscriptionsOf(id, workspaceId)})`;
const invoicesOf = (id: string, workspaceId: string) =>
  sql`(select id from invoices where workspace_id = ${workspaceId} and advertiser_id = ${id})`;

/** Rows with the field values of a creative, up to 64 KiB, and those before them. */
const CREATIVES = { rowsInAPart: 16 };

/** Rules that several tables share. */
const OF_A_PERSON = { person: ofPerson, workspace: MEMBERS_OWN, advertiser: THE_PUBLISHERS };
const OF_A_WORKSPACE = { person: NO_PERSONAL_DATA, workspace: inWorkspace, advertiser: THE_PUBLISHERS };
const OF_AN_ADVERTISER = { person: THE_PUBLISHERS, workspace: inWorkspace, advertiser: ofAdvertiser };
const OF_THE_INSTALLATION = {
  person: NO_PERSONAL_DATA,
  workspace: THE_INSTALLATIONS,
  advertiser: NO_PERSONAL_DATA,
};

/** Which rows of each table each kind of export contains. A table without a rule does not compile. */
export const TABLE_RULES: { readonly [Name in keyof Tables]: TableRule<Name> } = {
  people: {
    key: ["id"],
    hiddenFromWorkspace: [
      "email_verified",
      "two_factor_enabled",
      "suspended_at",
      "admitted_by",
      "created_at",
      "updated_at",
    ],
    person: (id) => sql`id = ${id}`,
    workspace: (id) => sql`id in (select person_id from members where workspace_id = ${id})`,
    advertiser: THE_PUBLISHERS,
  },
  sessions: { key: ["id"], hidden: ["token"], ...OF_A_PERSON },
  credentials: {
    key: ["id"],
    hidden: ["password", "access_token", "refresh_token", "id_token"],
    ...OF_A_PERSON,
  },
  verifications: {
    key: ["id"],
    hidden: ["identifier", "value"],
    ...OF_A_PERSON,
    person: "Links that work for an hour; each is a secret.",
  },
  two_factors: { key: ["id"], hidden: ["secret", "recovery_codes"], ...OF_A_PERSON },
  passkeys: { key: ["id"], hidden: ["public_key", "credential_id"], ...OF_A_PERSON },
  email_changes: { key: ["person_id"], hidden: ["token_hash"], ...OF_A_PERSON },
  workspaces: {
    key: ["id"],
    person: (id) => sql`id in (select workspace_id from members where person_id = ${id})`,
    workspace: (id) => sql`id = ${id}`,
    advertiser: THE_PUBLISHERS,
  },
  members: { key: ["id"], ...OF_A_WORKSPACE, person: ofPerson },
  api_keys: {
    key: ["id"],
    hidden: ["hash"],
    ...OF_A_WORKSPACE,
    person: (id) => sql`member_id in (select id from members where person_id = ${id})`,
  },
  tiers: { key: ["id"], ...OF_A_WORKSPACE },
  prices: { key: ["id"], ...OF_A_WORKSPACE },
  fields: { key: ["id"], ...OF_A_WORKSPACE },
  advertisers: {
    key: ["id"],
    ...OF_AN_ADVERTISER,
    advertiser: (id, workspaceId) => sql`workspace_id = ${workspaceId} and id = ${id}`,
  },
  subscriptions: { key: ["id"], hidden: ["claim", "claimed_until", "sync_version"], ...OF_AN_ADVERTISER },
  ads: { key: ["id"], ...CREATIVES, ...OF_AN_ADVERTISER, advertiser: ofAdvertisersSubscriptions },
  checkout_sessions: {
    key: ["id"],
    // Anybody who has the id can change the ad.
    hidden: ["id"],
    ...OF_AN_ADVERTISER,
    advertiser: ofAdvertisersSubscriptions,
  },
  advertiser_links: {
    key: ["token_hash"],
    hidden: ["token_hash"],
    ...OF_AN_ADVERTISER,
    person: NO_PERSONAL_DATA,
  },
  webhook_events: { key: ["id"], ...OF_THE_INSTALLATION },
  installation: {
    key: ["id"],
    person: THE_INSTALLATIONS,
    workspace: THE_INSTALLATIONS,
    advertiser: THE_INSTALLATIONS,
  },
  reconciliations: { key: ["id"], ...OF_THE_INSTALLATION },
  revisions: {
    key: ["ad_id"],
    ...CREATIVES,
    ...OF_AN_ADVERTISER,
    advertiser: (id, workspaceId) =>
      sql`workspace_id = ${workspaceId} and ad_id in ${adsOf(id, workspaceId)}`,
  },
  uploads: {
    key: ["key"],
    hidden: ["checkout_session_id"],
    ...OF_A_WORKSPACE,
    advertiser: "The ads name the images that they use.",
  },
  invitations: {
    key: ["id"],
    hidden: ["token_hash"],
    ...OF_A_WORKSPACE,
    person: (id) =>
      sql`(invited_by = ${id} or email = (select people.email from people where people.id = ${id}))`,
  },
  audit_log: {
    key: ["id"],
    // A row has up to 8 KiB.
    rowsInAPart: 128,
    person: (id) => sql`actor_kind = 'person' and actor_id = ${id}`,
    workspace: inWorkspace,
    advertiser: (id, workspaceId) => sql`workspace_id = ${workspaceId} and (
      resource_id = ${id} or resource_id in ${subscriptionsOf(id, workspaceId)} or resource_id in ${adsOf(id, workspaceId)}
      or resource_id in ${invoicesOf(id, workspaceId)}
    )`,
  },
  idempotency_keys: {
    key: ["caller", "key"],
    hidden: ["caller", "key", "request_hash", "body"],
    person: A_DAY_AT_MOST,
    workspace: A_DAY_AT_MOST,
    advertiser: A_DAY_AT_MOST,
  },
  connected_accounts: { key: ["workspace_id"], ...OF_A_WORKSPACE },
  invoices: { key: ["id"], hidden: ["sync_version"], ...OF_AN_ADVERTISER },
  charges: {
    key: ["provider_charge_id"],
    hidden: ["sync_version"],
    ...OF_AN_ADVERTISER,
    advertiser: (id, workspaceId) =>
      sql`workspace_id = ${workspaceId} and invoice_id in ${invoicesOf(id, workspaceId)}`,
  },
  refunds: {
    key: ["id"],
    ...OF_AN_ADVERTISER,
    advertiser: (id, workspaceId) => sql`workspace_id = ${workspaceId} and provider_charge_id in (
      select provider_charge_id from charges
      where workspace_id = ${workspaceId} and invoice_id in ${invoicesOf(id, workspaceId)}
    )`,
  },
  ledger_fills: { key: ["account"], ...OF_THE_INSTALLATION },
  monthly_reports: {
    key: ["id"],
    ...OF_AN_ADVERTISER,
    person: (id) => sql`member_id in (select id from members where person_id = ${id})`,
  },
  report_links: {
    key: ["ad_id"],
    hidden: ["salt"],
    ...OF_AN_ADVERTISER,
    person: NO_PERSONAL_DATA,
    advertiser: (id, workspaceId) => sql`ad_id in ${adsOf(id, workspaceId)}`,
  },
  corrections: {
    key: ["id"],
    ...OF_AN_ADVERTISER,
    person: NO_PERSONAL_DATA,
    advertiser: (id, workspaceId) => sql`ad_id in ${adsOf(id, workspaceId)}`,
  },
  ad_alerts: {
    key: ["ad_id"],
    ...OF_AN_ADVERTISER,
    person: NO_PERSONAL_DATA,
    advertiser: (id, workspaceId) => sql`ad_id in ${adsOf(id, workspaceId)}`,
  },
  report_unsubscribes: { key: ["advertiser_id"], ...OF_AN_ADVERTISER, person: NO_PERSONAL_DATA },
  digest_lines: {
    key: ["id"],
    ...OF_A_WORKSPACE,
    advertiser: "It is kept for an hour, until it is emailed.",
  },
  dropped_mails: { key: ["id"], ...OF_A_WORKSPACE },
  favicon_lookups: {
    key: ["page"],
    hidden: ["bytes"],
    ...OF_THE_INSTALLATION,
    advertiser: "Public icons of sites, kept for a day.",
  },
  erased_workspaces: { key: ["id"], ...OF_THE_INSTALLATION, workspace: DELETED_WORKSPACES },
  retained_invoices: { key: ["id"], ...OF_THE_INSTALLATION, workspace: DELETED_WORKSPACES },
};
