import { type Expression, type SqlBool, sql } from "kysely";
import { type IdKind, isId } from "#libs/domain/ids.ts";

/** The id, or for a malformed one an empty text, which is no row's: Postgres may reject its characters. */
export function idOrNone(kind: IdKind, id: string): string {
  return isId(kind, id) ? id : "";
}

/** The ids of that kind in a list, to compare a column with. Malformed ids, which Postgres may reject, are left out. */
export function anyOf(kind: IdKind, ids: readonly string[]) {
  return sql<string>`any(${ids.filter((id) => isId(kind, id))}::text[])`;
}

/**
 * Whether the column has a value that the query selects, which is run once, and hashed. As the join that a bare `in` becomes, Postgres runs
 * it, and the queries in it, for each row where it expects few rows, as it does of a workspace that is younger than its statistics. With an
 * array, each row would be looked for in all of many values.
 */
export function isOneOf(column: string, values: Expression<unknown>) {
  return sql<SqlBool>`(${sql.ref(column)} in ${values}) is true`;
}
