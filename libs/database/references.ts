import {
  AndNode,
  BinaryOperationNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
} from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Columns that reference a row of the same workspace, and that row's table. The foreign key consists of `workspace_id` and the
 * column, so Postgres refuses a reference to another workspace.
 */
export const REFERENCES: Readonly<Record<string, keyof Tables>> = {
  "ads.subscription_id": "subscriptions",
  "api_keys.member_id": "members",
  "charges.invoice_id": "invoices",
  "checkout_sessions.price_id": "prices",
  "checkout_sessions.subscription_id": "subscriptions",
  "invoices.advertiser_id": "advertisers",
  "invoices.subscription_id": "subscriptions",
  "monthly_reports.advertiser_id": "advertisers",
  "prices.tier_id": "tiers",
  "report_unsubscribes.advertiser_id": "advertisers",
  "subscriptions.advertiser_id": "advertisers",
  "subscriptions.price_id": "prices",
  "subscriptions.tier_id": "tiers",
};

/**
 * Whether a join follows such a reference from one of `tables` (the tables of the query, by their alias). The joined row then
 * belongs to the same workspace as the row that references it.
 */
export function followsReference(
  on: OperationNode,
  joined: { readonly name: string; readonly alias: string },
  tables: ReadonlyMap<string, string>,
): boolean {
  if (ParensNode.is(on)) return followsReference(on.node, joined, tables);
  if (AndNode.is(on)) {
    return followsReference(on.left, joined, tables) || followsReference(on.right, joined, tables);
  }
  if (!BinaryOperationNode.is(on) || !OperatorNode.is(on.operator) || on.operator.operator !== "=")
    return false;
  const left = columnNamed(on.leftOperand);
  const right = columnNamed(on.rightOperand);
  return [
    [left, right],
    [right, left],
  ].some(([id, reference]) => {
    if (id?.table !== joined.alias || id.column !== "id" || reference === undefined) return false;
    if (reference.table === joined.alias) return false;
    return REFERENCES[`${tables.get(reference.table)}.${reference.column}`] === joined.name;
  });
}

function columnNamed(node: OperationNode) {
  if (!ReferenceNode.is(node) || node.table === undefined || node.column.kind !== "ColumnNode")
    return undefined;
  return { table: node.table.table.identifier.name, column: node.column.column.name };
}
