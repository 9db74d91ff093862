import type {
  Kysely,
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from "kysely";
import { ScopeError } from "./scoping/scoped-tables.ts";
import { scopeStatement } from "./scoping/scoping.ts";
import type { Tables } from "./tables.ts";

/** Restricts a handle to one workspace. */
class WorkspacePlugin implements KyselyPlugin {
  readonly workspace: unknown;
  /** The rewritten statements. The result of any other statement is an error. */
  readonly #rewritten = new WeakSet<object>();

  constructor(workspace: unknown) {
    this.workspace = workspace;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    this.admit(queryId);
    return scopeStatement(node, this.workspace);
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (!this.#rewritten.has(queryId)) throw new ScopeError("A statement was not made by this handle.");
    return result;
  }

  /** Admits a statement that was rewritten earlier. */
  admit(queryId: object): void {
    this.#rewritten.add(queryId);
  }
}

/** A handle that reaches the rows of one workspace only. Throws `ScopeError` for statements that cannot be rewritten. */
export function forWorkspace(db: Kysely<Tables>, workspaceId: string): Kysely<Tables> {
  return scopeOf(db)?.workspace === workspaceId ? db : db.withPlugin(new WorkspacePlugin(workspaceId));
}

/** The same for a prepared statement, in which `place` is the placeholder of the workspace's id. */
export function forAnyWorkspace(db: Kysely<Tables>, place: object): Kysely<Tables> {
  return db.withoutPlugins().withPlugin(new WorkspacePlugin(place));
}

/** The restriction of a handle to a workspace; undefined for the handle of the whole installation. */
export function scopeOf(db: Kysely<Tables>): Pick<WorkspacePlugin, "workspace" | "admit"> | undefined {
  const scopes = db.getExecutor().plugins.filter((plugin) => plugin instanceof WorkspacePlugin);
  if (scopes.length > 1) throw new ScopeError("A handle is of two workspaces.");
  return scopes[0];
}
