import {
  AliasNode,
  ColumnNode,
  type ColumnUpdateNode,
  FunctionNode,
  IdentifierNode,
  type OperationNode,
  ReferenceNode,
  TableNode,
} from "kysely";
import { SCOPES } from "./scopes.ts";

/** A statement that the handle of one workspace does not run. It is a mistake in the code, never the caller's. */
export class ScopeError extends Error {
  override readonly name = "ScopeError";
}

const COLUMNS: ReadonlyMap<string, string | null> = new Map(
  Object.entries(SCOPES).flatMap(([table, scope]): [string, string | null][] => {
    if (scope === "closed") return [];
    return [[table, scope === "shared" ? null : scope.column]];
  }),
);

/** The column that says whose a row is; null for a table that all share. Throws `ScopeError` for any other table. */
export function columnOf(table: string): string | null {
  const column = COLUMNS.get(table);
  if (column === undefined) throw new ScopeError(`The handle of one workspace does not reach ${table}.`);
  return column;
}

/** What a statement reads from or writes to. Throws `ScopeError` where that is neither a table of ours nor a query. */
export function namedTable(node: OperationNode): {
  readonly name: string;
  readonly alias: string;
  /** Whether it is a query, whose own tables are looked at by themselves. */
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
