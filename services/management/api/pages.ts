import { type AliasedRawBuilder, type Expression, type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { readConsistently } from "../store/consistent-read.ts";

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export interface Cut {
  readonly limit: number;
  readonly offset: number;
}

/** Reads a page, whose rows include the total, or the total alone. */
interface List<Row> {
  readonly page: (db: Kysely<Tables>, cut: Cut) => Promise<readonly Row[]>;
  readonly count: (db: Kysely<Tables>) => Promise<number>;
}

/**
 * One page of a list with its envelope, both from one snapshot of the database. It takes one statement; a page after the last
 * is clamped, which takes two more in a transaction.
 */
export async function readPage<Row extends { readonly total: number }>(
  db: Kysely<Tables>,
  request: PageRequest,
  list: List<Row>,
) {
  const { page, perPage } = request;
  const rows = await list.page(db, { limit: perPage, offset: (page - 1) * perPage });
  const [first] = rows;
  if (first !== undefined || page === 1) {
    return { envelope: placePage(first?.total ?? 0, request).envelope, rows };
  }
  const readLast = async (at: Kysely<Tables>) => {
    const { envelope, offset } = placePage(await list.count(at), request);
    return { envelope, rows: await list.page(at, { limit: perPage, offset }) };
  };
  return db.isTransaction ? await readLast(db) : await readConsistently(db, readLast);
}

/** A query that can be cut to a page. */
interface Cuttable<Row> {
  limit(limit: number): Cuttable<Row>;
  offset(offset: number): Cuttable<Row>;
  execute(): Promise<Row[]>;
}

/** As `readPage`, for a query: `find` has its conditions, `show` adds columns, the total and the order. */
export async function readPageOf<Found extends Expression<unknown>, Row extends { readonly total: number }>(
  db: Kysely<Tables>,
  request: PageRequest,
  find: (db: Kysely<Tables>) => Found,
  show: (found: Found, total: AliasedRawBuilder<number, "total">) => Cuttable<Row>,
) {
  return await readPage(db, request, {
    page: async (at, { limit, offset }) => {
      const found = find(at);
      return await show(found, countOf(found)).limit(limit).offset(offset).execute();
    },
    count: async (at) => (await at.selectNoFrom(countOf(find(at))).executeTakeFirstOrThrow()).total,
  });
}

function countOf(found: Expression<unknown>) {
  return sql<number>`(select count(*) from ${found} as found)`.as("total");
}

/** The envelope of a list without its items, with the page clamped to the last one, and the number of rows to skip. */
export function placePage(total: number, { page, perPage }: PageRequest) {
  const pageCount = Math.max(1, Math.ceil(total / perPage));
  const clamped = Math.min(page, pageCount);
  return { envelope: { total, page: clamped, perPage, pageCount }, offset: (clamped - 1) * perPage };
}
