import {
  AndNode,
  BinaryOperationNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
  ValueNode,
} from "kysely";
import type { Tables } from "../tables.ts";

/** Columns that reference a row of the same workspace, by a foreign key with `workspace_id`, and that row's table. */
export const REFERENCES: Readonly<Record<string, keyof Tables>> = {
  "ads.subscription_id": "subscriptions",
  "api_keys.member_id": "members",
  "charges.invoice_id": "invoices",
  "advertiser_links.advertiser_id": "advertisers",
  "checkout_sessions.price_id": "prices",
  "checkout_sessions.subscription_id": "subscriptions",
  "invoices.advertiser_id": "advertisers",
  "invoices.subscription_id": "subscriptions",
  "monthly_reports.advertiser_id": "advertisers",
  "monthly_reports.member_id": "members",
  "prices.tier_id": "tiers",
  "report_unsubscribes.advertiser_id": "advertisers",
  "subscriptions.advertiser_id": "advertisers",
  "subscriptions.price_id": "prices",
  "subscriptions.tier_id": "tiers",
};

/**
 * Whether a join follows such a reference from one of `tables` (the tables that its condition can name, by their alias). The
 * joined row then belongs to the same workspace as the row that references it. False for conditions with hand-written
 * parts: an "or" in one of them could undo the comparison beside it.
 */
export function followsReference(
  on: OperationNode,
  joined: { readonly name: string; readonly alias: string },
  tables: ReadonlyMap<string, string>,
): boolean {
  const parts = partsOf(on);
  if (!parts.every((part) => ParensNode.is(part) || isComparison(part))) return false;
  return parts.some((part) =>
    ParensNode.is(part) ? followsReference(part.node, joined, tables) : isReference(part, joined, tables),
  );
}

function partsOf(on: OperationNode): OperationNode[] {
  return AndNode.is(on) ? [...partsOf(on.left), ...partsOf(on.right)] : [on];
}

/** Whether a condition only compares columns and values, without hand-written parts. */
function isComparison(node: OperationNode): node is BinaryOperationNode {
  return (
    BinaryOperationNode.is(node) &&
    OperatorNode.is(node.operator) &&
    [node.leftOperand, node.rightOperand].every(
      (side) => columnNamed(side) !== undefined || ValueNode.is(side),
    )
  );
}

function isReference(
  node: OperationNode,
  joined: { readonly name: string; readonly alias: string },
  tables: ReadonlyMap<string, string>,
): boolean {
  if (!isComparison(node) || !OperatorNode.is(node.operator) || node.operator.operator !== "=") return false;
  const left = columnNamed(node.leftOperand);
  const right = columnNamed(node.rightOperand);
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
