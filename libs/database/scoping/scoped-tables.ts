import {
  AliasNode,
  ColumnNode,
  type ColumnUpdateNode,
  FunctionNode,
  IdentifierNode,
  type InsertQueryNode,
  type OperationNode,
  ReferenceNode,
  TableNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from "kysely";
import type { Tables } from "../tables.ts";

/** The rows that a handle of one workspace reaches: those whose `column` names it, all (`shared`), or none (`closed`). */
type Scope = { readonly column: string } | "shared" | "closed";

const OWN = { column: "workspace_id" } as const;

/** The scope of every table: a new table does not compile without one. */
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
  advertiser_links: OWN,
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
  report_links: OWN,
  report_unsubscribes: OWN,
  digest_lines: OWN,
  ad_alerts: OWN,
  corrections: OWN,
  dropped_mails: OWN,
  retained_invoices: { column: "former_workspace_id" },
  // Names and addresses of members, who may be in several workspaces; reached through `members`.
  people: "shared",
  // The accounts of the payment processor that the ledger covers; it names no workspace.
  ledger_fills: "shared",
  // Credentials belong to people and to no workspace.
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

/** A statement that the handle of one workspace refuses. It is a mistake in the code, never in a request. */
export class ScopeError extends Error {
  override readonly name = "ScopeError";
}

const COLUMNS: ReadonlyMap<string, string | null> = new Map(
  Object.entries(SCOPES).flatMap(([table, scope]): [string, string | null][] => {
    if (scope === "closed") return [];
    return [[table, scope === "shared" ? null : scope.column]];
  }),
);

/** The column that names a row's workspace; null for a shared table. Throws `ScopeError` for any other table. */
export function columnOf(table: string): string | null {
  const column = COLUMNS.get(table);
  if (column === undefined) throw new ScopeError(`The handle of one workspace does not reach ${table}.`);
  return column;
}

/** The table or query that a statement reads or writes. Throws `ScopeError` for anything else. */
export function namedTable(node: OperationNode): {
  readonly name: string;
  readonly alias: string;
  /** Whether it is a query, whose own tables are checked separately. */
  readonly isQuery: boolean;
} {
  if (TableNode.is(node)) {
    const { schema, identifier } = node.table;
    if (schema !== undefined) throw new ScopeError("A table is named with its schema.");
    return { name: identifier.name, alias: identifier.name, isQuery: false };
  }
  if (AliasNode.is(node) && IdentifierNode.is(node.alias)) {
    return { ...namedTable(node.node), alias: node.alias.name };
  }
  if (node.kind === "SelectQueryNode" || node.kind === "ValuesNode" || FunctionNode.is(node)) {
    return { name: "", alias: "", isQuery: true };
  }
  throw new ScopeError(`A table is given as ${node.kind}.`);
}

/** Throws `ScopeError` where an update of that table could give a row to another workspace. */
export function refuseOtherOwner(
  table: OperationNode,
  updates: readonly ColumnUpdateNode[] | undefined,
): void {
  const { name } = namedTable(table);
  const owner = columnOf(name);
  for (const { column } of updates ?? []) {
    const set = ReferenceNode.is(column) ? column.column : column;
    if (!ColumnNode.is(set) || set.column.name === owner) {
      throw new ScopeError(`A statement changes whose a row of ${name} is.`);
    }
  }
}

/** An insert's values for that column. Throws `ScopeError` when they are missing or not plain values. */
export function workspaceValues({ columns, values }: InsertQueryNode, column: string): unknown[] {
  const index = columns?.findIndex(({ column: given }) => given.name === column) ?? -1;
  if (index === -1) throw new ScopeError(`An insert does not say its ${column}.`);
  if (values === undefined || !ValuesNode.is(values)) {
    throw new ScopeError("The handle of one workspace inserts plain values alone.");
  }
  return values.values.map((row) => {
    const value = row.values[index];
    if (!ValueListNode.is(row)) return value;
    const node = row.values[index];
    if (node === undefined || !ValueNode.is(node))
      throw new ScopeError(`An insert's ${column} is no plain value.`);
    return node.value;
  });
}
