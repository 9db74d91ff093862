import type { Tables } from "./tables.ts";

/**
 * Whose the rows of a table are: a workspace's, by the column that names it; or `shared` by all, which the handle of one
 * workspace (`for-workspace.ts`) reads and writes as it is asked to; or `closed` to such a handle.
 */
export type Scope = { readonly column: string } | "shared" | "closed";

const OWN = { column: "workspace_id" } as const;

/** A table that is not in here does not compile, so that each new one is decided on. */
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
  // What people sign in with is nobody's but theirs.
  sessions: "closed",
  credentials: "closed",
  verifications: "closed",
  two_factors: "closed",
  passkeys: "closed",
  email_changes: "closed",
  // Of the whole installation, for its jobs and for what stands before the handlers.
  webhook_events: "closed",
  reconciliations: "closed",
  idempotency_keys: "closed",
  favicon_lookups: "closed",
  erased_workspaces: "closed",
  installation: "closed",
};
