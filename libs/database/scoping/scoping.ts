import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  type FromNode,
  type InsertQueryNode,
  type JoinNode,
  type OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  type RawNode,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
  WhereNode,
  type WithNode,
} from "kysely";
import { followsReference } from "./references.ts";
import {
  columnOf,
  namedTable,
  refuseOtherOwner,
  SCOPES,
  ScopeError,
  workspaceValues,
} from "./scoped-tables.ts";

/** Keywords that a table name follows. */
const NAMES_TABLES = /\b(?:from|join|update|into|using|table)\b/;
const LITERAL = /'[^']*'/g;
/** The queue's own view, which has no rows of workspaces. The pattern includes `where`, so no second table can follow. */
const READS_JOBS = /\bfrom graphile_worker\.jobs where\b/g;
/** Longer SQL is refused unread. */
const LONGEST_TEXT = 4_000;

/** The kinds of node that may name a table. A table in any other node is refused, because it would not be narrowed. */
const PLACES_OF_TABLES: ReadonlySet<string> = new Set([
  "FromNode",
  "JoinNode",
  "UsingNode",
  "AliasNode",
  "SelectQueryNode",
  "UpdateQueryNode",
  "DeleteQueryNode",
  "InsertQueryNode",
  "CommonTableExpressionNameNode",
  "SelectModifierNode",
  "ReferenceNode",
]);

/**
 * Rewrites statements to reach one workspace: adds a condition for each table with a workspace column. Throws `ScopeError`
 * for statements that insert or move rows into another workspace, and for hand-written SQL that could name a table.
 */
class Scoping extends OperationNodeTransformer {
  /** The workspace's id, or its placeholder in a prepared statement. */
  #workspace: unknown;
  /** Names of the statement's own `with` queries, which are not tables. */
  #queries: ReadonlySet<string> = new Set();
  /** The tables that the condition of the join being rewritten can name, by their alias. */
  #tables: ReadonlyMap<string, string> = new Map();
  /** The nodes that were rewritten, and for which workspace: kysely passes a subquery to the plugin twice. */
  readonly #done = new WeakMap<OperationNode, unknown>();

  scope(node: RootOperationNode, workspace: unknown): RootOperationNode {
    this.#workspace = workspace;
    this.#queries = new Set();
    this.#tables = new Map();
    this.nodeStack.length = 0;
    switch (node.kind) {
      case "SelectQueryNode":
      case "InsertQueryNode":
      case "UpdateQueryNode":
      case "DeleteQueryNode":
        return this.transformNode(node);
      case "RawNode":
        if (!asksForValue(node)) throw new ScopeError("Hand-written SQL is no select.");
        return this.transformNode(node);
      default:
        throw new ScopeError(`The handle of one workspace runs no ${node.kind}.`);
    }
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T): T {
    if (this.#done.has(node) && this.#done.get(node) === this.#workspace) return node;
    return super.transformNodeImpl(node);
  }

  protected override transformRaw(node: RawNode): RawNode {
    if (couldNameTables(node)) {
      throw new ScopeError(`Hand-written SQL could name a table: ${node.sqlFragments.join("?").trim()}`);
    }
    return super.transformRaw(node);
  }

  protected override transformTable(node: TableNode): TableNode {
    const place = this.nodeStack.at(-2)?.kind ?? "";
    if (!PLACES_OF_TABLES.has(place)) throw new ScopeError(`A table is named within a ${place}.`);
    return super.transformTable(node);
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#within(node, () => {
      const scoped = super.transformSelectQuery(node);
      const where = this.#narrow(scoped.where, [...(node.from?.froms ?? []), ...unconditional(node.joins)]);
      return this.#finish({ ...scoped, ...where });
    });
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    return this.#within(node, () => {
      if (node.table === undefined) throw new ScopeError("An update names no table.");
      refuseOtherOwner(node.table, node.updates);
      const scoped = super.transformUpdateQuery(node);
      const tables = [node.table, ...(node.from?.froms ?? []), ...unconditional(node.joins)];
      return this.#finish({ ...scoped, ...this.#narrow(scoped.where, tables) });
    });
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#within(node, () => {
      const scoped = super.transformDeleteQuery(node);
      const tables = [...node.from.froms, ...(node.using?.tables ?? []), ...unconditional(node.joins)];
      return this.#finish({ ...scoped, ...this.#narrow(scoped.where, tables) });
    });
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    return this.#within(node, () => {
      if (node.into === undefined) throw new ScopeError("An insert names no table.");
      const column = columnOf(namedTable(node.into).name);
      if (column !== null && workspaceValues(node, column).some((value) => value !== this.#workspace)) {
        throw new ScopeError(`An insert into ${namedTable(node.into).name} is for another workspace.`);
      }
      refuseOtherOwner(node.into, node.onConflict?.updates);
      const scoped = super.transformInsertQuery(node);
      const { onConflict } = scoped;
      if (onConflict?.updates === undefined) return this.#finish(scoped);
      return this.#finish({ ...scoped, onConflict: this.#narrowConflict(onConflict, node.into) });
    });
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    if (!/^(?:Lateral)?(?:Inner|Left|Cross)Join$/.test(node.joinType)) {
      throw new ScopeError(`The handle of one workspace knows no ${node.joinType}.`);
    }
    const scoped = super.transformJoin(node);
    const tables = this.#tables;
    this.#tables = new Map([...tables, ...this.#tablesOf([node.table])]);
    if (node.on === undefined || scoped.on === undefined) return scoped;
    const condition = this.#conditionOf(node.table);
    // If a foreign key implies the condition, leave it out: Postgres would estimate fewer rows and choose a worse plan.
    if (condition === null || followsReference(node.on.on, namedTable(node.table), tables)) return scoped;
    return { ...scoped, on: OnNode.create(AndNode.create(ParensNode.create(scoped.on.on), condition)) };
  }

  #narrowConflict(onConflict: OnConflictNode, into: OperationNode): OnConflictNode {
    const { where } = this.#narrow(onConflict.updateWhere, [into]);
    return where === undefined ? onConflict : { ...onConflict, updateWhere: where };
  }

  #narrow(where: WhereNode | undefined, tables: readonly OperationNode[]): { readonly where?: WhereNode } {
    const [first, ...others] = tables.flatMap((table) => this.#conditionOf(table) ?? []);
    if (first === undefined) return {};
    const narrowed = where === undefined ? first : AndNode.create(ParensNode.create(where.where), first);
    return { where: WhereNode.create(others.reduce((left, right) => AndNode.create(left, right), narrowed)) };
  }

  /** The condition on the workspace for a named table; null for a query, which has its own, and for a shared table. */
  #conditionOf(node: OperationNode): OperationNode | null {
    const { name, alias, isQuery } = namedTable(node);
    if (isQuery || this.#queries.has(name)) return null;
    const column = columnOf(name);
    if (column === null) return null;
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(column), TableNode.create(alias)),
      OperatorNode.create("="),
      ValueNode.create(this.#workspace),
    );
  }

  #within<T>(node: Query, transform: () => T): T {
    const outside = this.#queries;
    const tablesOutside = this.#tables;
    const names = node.with?.expressions.map(({ name }) => name.table.table.identifier.name) ?? [];
    for (const name of names) {
      if (name in SCOPES)
        throw new ScopeError(`A query within the statement is called ${name}, as a table is.`);
    }
    if (names.length > 0) this.#queries = new Set([...outside, ...names]);
    // A join follows the last table only. Of the others, and of later joins, it would name a namesake in the query outside.
    this.#tables = this.#tablesOf(node.from?.froms.slice(-1) ?? []);
    const transformed = transform();
    this.#queries = outside;
    this.#tables = tablesOutside;
    return transformed;
  }

  #tablesOf(nodes: readonly OperationNode[]): ReadonlyMap<string, string> {
    const tables = nodes.map(namedTable).filter(({ name, isQuery }) => !isQuery && !this.#queries.has(name));
    return new Map(tables.map(({ alias, name }) => [alias, name]));
  }

  #finish<T extends OperationNode>(node: T): T {
    this.#done.set(node, this.#workspace);
    return node;
  }
}

/** The common part of all queries. */
interface Query {
  readonly with?: WithNode;
  readonly from?: FromNode;
}

/** Joins without a condition of their own. */
function unconditional(joins: readonly JoinNode[] | undefined): OperationNode[] {
  return (joins ?? []).filter(({ on }) => on === undefined).map(({ table }) => table);
}

/** One per process is enough: rewriting is synchronous, so no two statements interleave. */
const scoping = new Scoping();

/** Restricts a statement to that workspace. Throws `ScopeError` if it cannot. */
export function scopeStatement(node: RootOperationNode, workspace: unknown): RootOperationNode {
  return scoping.scope(node, workspace);
}

/** Whether hand-written SQL could name a table: by a keyword before tables, except the `from` of a kysely subquery. */
function couldNameTables({ sqlFragments, parameters }: RawNode): boolean {
  return sqlFragments.some((fragment, index) => {
    if (fragment.length > LONGEST_TEXT) return true;
    const text = fragment.toLowerCase().replaceAll(LITERAL, "''").replaceAll(READS_JOBS, "");
    const readsQuery = parameters[index]?.kind === "SelectQueryNode" && /\bfrom\s+$/.test(text);
    return NAMES_TABLES.test(readsQuery ? text.trimEnd().slice(0, -"from".length) : text);
  });
}

/** Whether an entirely hand-written statement is a `select`. */
function asksForValue({ sqlFragments: [start = ""] }: RawNode): boolean {
  return /^\s*select\b/i.test(start.slice(0, LONGEST_TEXT));
}
