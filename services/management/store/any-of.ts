import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type IdKind, isId } from "#libs/domain/ids.ts";

/** The id, or for a malformed one an empty text, which is no row's: Postgres may reject its characters. */
export function idOrNone(kind: IdKind, id: string): string {
  return isId(kind, id) ? id : "";
}

/** The ids of that kind in a list, to compare a column with. Malformed ids, which Postgres may reject, are left out. */
export function anyOf(kind: IdKind, ids: readonly string[]) {
  return sql<string>`any(${ids.filter((id) => isId(kind, id))}::text[])`;
}

/** True of every row. */
export const ANY = sql<SqlBool>`true`;

/** So many ids are looked up by an index. */
const FEW = 1_000;

/**
 * Whether the column has one of the ids that the query selects. Few are found first, so that Postgres looks them up by an index. Of many it
 * makes a hash: as an array, each row would be looked for in all of them; and as the join that a bare `in` becomes, it would run the query,
 * and the queries in it, for each row where it expects few rows, as it does of a workspace that is younger than its statistics.
 */
export async function isOneOf<From extends keyof Tables>(
  column: string,
  query: SelectQueryBuilder<Tables, From, { readonly id: string }>,
): Promise<Expression<SqlBool>> {
  const found = await query.limit(FEW + 1).execute();
  const ids = found.map(({ id }) => id);
  return found.length > FEW
    ? sql<SqlBool>`(${sql.ref(column)} in ${query}) is true`
    : sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`;
}
