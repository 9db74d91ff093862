import type { Tables } from "./tables.ts";

/**
 * What the handle of one workspace (`for-workspace.ts`) sees of a table: with a `column`, the rows in which it names the
 * workspace; `shared`, all rows; `closed`, nothing.
 */
export type Scope = { readonly column: string } | "shared" | "closed";

const OWN = { column: "workspace_id" } as const;

/** A table that is missing here does not compile, so every new table needs a decision. */
export const SCOPES: Readonly<Record<keyof Tables, Scope>> = {
  workspaces: { column: "id" },
  members: OWN,
  api_keys: OWN,
  tiers: OWN,
  prices: OWN,
  fields: OWN,
  advertisers: OWN,
  subscriptions: OWN,
  ads: OWN,
  checkout_sessions: OWN,
  revisions: OWN,
  uploads: OWN,
  invitations: OWN,
  audit_log: OWN,
  connected_accounts: OWN,
  invoices: OWN,
  charges: OWN,
  refunds: OWN,
  monthly_reports: OWN,
  report_unsubscribes: OWN,
  retained_invoices: { column: "former_workspace_id" },
  // Names and addresses of members, who may be in several workspaces; reached through `members`.
  people: "shared",
  // Which of the processor's accounts the ledger knows from the beginning; says nothing of a workspace.
  ledger_fills: "shared",
  // What people sign in with belongs to them and to no workspace.
  sessions: "closed",
  credentials: "closed",
  verifications: "closed",
  two_factors: "closed",
  passkeys: "closed",
  email_changes: "closed",
  // Used by jobs and by code that runs before the handlers, which have the handle of the whole installation.
  webhook_events: "closed",
  reconciliations: "closed",
  idempotency_keys: "closed",
  favicon_lookups: "closed",
  erased_workspaces: "closed",
  installation: "closed",
};
