import { type Compilable, CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import pg from "pg";
import { forAnyWorkspace, scopeOf } from "./for-workspace.ts";
import type { Tables } from "./tables.ts";

/** Marks where a statement takes a value when it runs. */
export type PlaceOf<Given> = <Key extends keyof Given & string>(key: Key) => RawBuilder<Given[Key]>;

/** The names of prepared statements by their text. There are as many as there are calls of `statement` in the code. */
const NAMES = new Map<string, string>();

class Place {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

/** Marks where a statement takes the workspace of the handle that runs it. */
const WORKSPACE = new Place("");

/**
 * A prepared statement for a frequent query: built once, and parsed and planned once per connection. `name` is unique in
 * the process. Handles of one workspace run a second, narrowed text of it. The query must name its columns, because `*`
 * fails once a newer release adds one. A pooler in front of Postgres must support prepared statements (PgBouncer 1.21).
 */
export function statement<Given extends object, Row>(
  name: string,
  build: (db: Kysely<Tables>, place: PlaceOf<Given>) => Compilable<Row>,
): (db: Kysely<Tables>, given: Given) => Promise<Row[]> {
  const compile = (db: Kysely<Tables>, as: string) => {
    const built = build(db, (key) => sql`${new Place(key)}`).compile();
    NAMES.set(built.sql, as);
    return built;
  };
  let ofAll: CompiledQuery<Row> | undefined;
  let ofOne: CompiledQuery<Row> | undefined;
  return async (db, given) => {
    const scope = scopeOf(db);
    let built: CompiledQuery<Row>;
    if (scope === undefined) built = ofAll ??= compile(db, name);
    else built = ofOne ??= compile(forAnyWorkspace(db, WORKSPACE), `${name}-of-workspace`);
    const values = new Map<string, unknown>(Object.entries(given));
    const parameters = built.parameters.map((one) => {
      if (one === WORKSPACE) return scope?.workspace;
      return one instanceof Place ? values.get(one.key) : one;
    });
    const query = CompiledQuery.raw(built.sql, parameters);
    scope?.admit(query.queryId);
    const { rows } = await db.executeQuery<Row>(query);
    return rows;
  };
}

/** Makes a connection send the text of a statement once, and then only its name. */
export function rememberStatements(client: pg.PoolClient): void {
  Object.defineProperty(client, "query", {
    value: (first: unknown, ...rest: unknown[]) => {
      const name = typeof first === "string" ? NAMES.get(first) : undefined;
      return Reflect.apply(pg.Client.prototype.query, client, [
        name === undefined ? first : { name, text: first },
        ...rest,
      ]);
    },
  });
}
