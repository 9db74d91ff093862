import { type InsertQueryNode, ValueListNode, ValueNode, ValuesNode } from "kysely";
import { ScopeError } from "./scoped-tables.ts";

/** What an insert gives its rows for that column. Throws `ScopeError` where it gives none, or not as plain values. */
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
