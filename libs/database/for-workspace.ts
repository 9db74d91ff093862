import type {
  Kysely,
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from "kysely";
import { ScopeError } from "./scoped-tables.ts";
import { scopeStatement } from "./scoping.ts";
import type { Tables } from "./tables.ts";

/** Makes a handle see one workspace alone. */
class WorkspacePlugin implements KyselyPlugin {
  readonly workspace: unknown;
  /** The statements that have been rewritten; of any other the rows are withheld. */
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

  /** Lets a statement run that was rewritten before. */
  admit(queryId: object): void {
    this.#rewritten.add(queryId);
  }
}

/**
 * A handle on the rows of one workspace: whatever a statement asks for, it sees and changes nothing else, also within
 * transactions. What it cannot rewrite it refuses with `ScopeError` (`scoping.ts`).
 */
export function forWorkspace(db: Kysely<Tables>, workspaceId: string): Kysely<Tables> {
  return scopeOf(db)?.workspace === workspaceId ? db : db.withPlugin(new WorkspacePlugin(workspaceId));
}

/** The same for a statement that is built once, where `place` stands for the workspace's id. */
export function forAnyWorkspace(db: Kysely<Tables>, place: object): Kysely<Tables> {
  return db.withoutPlugins().withPlugin(new WorkspacePlugin(place));
}

/** What makes a handle one of a workspace; undefined for that of the whole installation. */
export function scopeOf(db: Kysely<Tables>): Pick<WorkspacePlugin, "workspace" | "admit"> | undefined {
  const scopes = db.getExecutor().plugins.filter((plugin) => plugin instanceof WorkspacePlugin);
  if (scopes.length > 1) throw new ScopeError("A handle is of two workspaces.");
  return scopes[0];
}
