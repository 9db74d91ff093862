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
import { asksForValue, couldNameTables } from "./raw-sql.ts";
import { followsReference } from "./references.ts";
import { columnOf, namedTable, refuseOtherOwner, ScopeError } from "./scoped-tables.ts";
import { workspaceValues } from "./scoped-values.ts";
import { SCOPES } from "./scopes.ts";

/** Where kysely puts a table's name, other than as the qualifier of a column. */
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
 * Rewrites statements so that they see and change the rows of one workspace alone, whatever they ask for. It adds the
 * workspace to each reference to a tenant's table, and throws `ScopeError` where it cannot: for an insert for another
 * workspace, for a change of whose a row is, for hand-written SQL that could name a table.
 */
class Scoping extends OperationNodeTransformer {
  /** The workspace's id, or what stands for it in a statement that is prepared. */
  #workspace: unknown;
  /** Names that stand for a query of the statement, and for no table. */
  #queries: ReadonlySet<string> = new Set();
  /** The tables of the query that is being looked at, by their alias. */
  #tables: ReadonlyMap<string, string> = new Map();
  /** What has been rewritten, and for which workspace: queries within a query arrive twice. */
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
    if (node.on === undefined || scoped.on === undefined) return scoped;
    const condition = this.#conditionOf(node.table);
    // Where a foreign key says it already, Postgres would take the same said twice for fewer rows, and plan for those.
    if (condition === null || followsReference(node.on.on, namedTable(node.table), this.#tables))
      return scoped;
    return { ...scoped, on: OnNode.create(AndNode.create(ParensNode.create(scoped.on.on), condition)) };
  }

  #narrowConflict(onConflict: OnConflictNode, into: OperationNode): OnConflictNode {
    const { where } = this.#narrow(onConflict.updateWhere, [into]);
    return where === undefined ? onConflict : { ...onConflict, updateWhere: where };
  }

  #narrow(where: WhereNode | undefined, tables: readonly OperationNode[]): { readonly where?: WhereNode } {
    const asked = where === undefined ? [] : [ParensNode.create(where.where)];
    const conditions = tables.flatMap((table) => this.#conditionOf(table) ?? []);
    if (conditions.length === 0) return {};
    const all = [...asked, ...conditions].reduce<OperationNode | undefined>(
      (left, right) => (left === undefined ? right : AndNode.create(left, right)),
      undefined,
    );
    return all === undefined ? {} : { where: WhereNode.create(all) };
  }

  /** That the rows of what is named there are the workspace's; null where that is said elsewhere or is not asked. */
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
    this.#tables = this.#tablesOf(node);
    const transformed = transform();
    this.#queries = outside;
    this.#tables = tablesOutside;
    return transformed;
  }

  #tablesOf({ from, joins }: Query): ReadonlyMap<string, string> {
    const tables = [...(from?.froms ?? []), ...(joins ?? []).map(({ table }) => table)].map(namedTable);
    return new Map(
      tables
        .filter(({ name, isQuery }) => !isQuery && !this.#queries.has(name))
        .map(({ alias, name }) => [alias, name]),
    );
  }

  #finish<T extends OperationNode>(node: T): T {
    this.#done.set(node, this.#workspace);
    return node;
  }
}

/** What kinds of queries have in common. */
interface Query {
  readonly with?: WithNode;
  readonly from?: FromNode;
  readonly joins?: readonly JoinNode[];
}

/** Joins without a condition of their own. */
function unconditional(joins: readonly JoinNode[] | undefined): OperationNode[] {
  return (joins ?? []).filter(({ on }) => on === undefined).map(({ table }) => table);
}

/** One for the process: a statement is rewritten in one go, so that no two meet in it. */
const scoping = new Scoping();

/** The statement as the handle of that workspace runs it. Throws `ScopeError`. */
export function scopeStatement(node: RootOperationNode, workspace: unknown): RootOperationNode {
  return scoping.scope(node, workspace);
}
