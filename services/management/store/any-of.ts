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

/** Postgres uses the index for up to this many ids. */
const FEW = 1_000;

/**
 * Whether the column has one of the ids that the query selects, which may have some twice. Few are found first, so that Postgres looks them
 * up by an index. Where there are more, `isOne` says it of each row by its keys. Sets are of no use for them: how Postgres compares rows
 * with those depends on how many it expects, and of a workspace that is young, or very large, that may be each with each.
 */
export async function isOneOf<From extends keyof Tables>(
  column: string,
  query: SelectQueryBuilder<Tables, From, { readonly id: string }>,
  isOne: (column: string) => Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  const found = await query.limit(FEW + 1).execute();
  const ids = [...new Set(found.map(({ id }) => id))];
  return found.length > FEW ? isOne(column) : sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`;
}

/** Whether the query has a row. Postgres makes no join of it, but runs it for each row, which must take keys alone. */
export function hasRow(query: Expression<unknown>) {
  return sql<SqlBool>`(exists ${query}) is true`;
}
