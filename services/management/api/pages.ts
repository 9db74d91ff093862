import { type AliasedRawBuilder, type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { invalidInput } from "#libs/http/index.ts";
import { readConsistently } from "../store/consistent-read.ts";
import { cursorOf, isBehind, type Order, type Place, placeColumn, readCursor, readPlace } from "./cursor.ts";

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  /** The cursor to continue after, in place of a page. */
  readonly after?: string | undefined;
  /** Leaves the total 0: who reads all pages of a list, to write them down, need not count it at each. */
  readonly isUncounted?: boolean;
}

export interface Cut {
  readonly limit: number;
  readonly offset: number;
  /** The rows behind it only. */
  readonly after: Place | undefined;
}

/** A row of a page: the total of the list, and its own place, from which a cursor is made. */
interface PageRow {
  readonly total: number;
  readonly place: string;
}

/** Reads a page, whose rows include the total, or the total alone. */
interface List<Row> {
  readonly page: (db: Kysely<Tables>, cut: Cut) => Promise<readonly Row[]>;
  readonly count: (db: Kysely<Tables>) => Promise<number>;
}

/**
 * One page of a list with its envelope, both from one snapshot of the database. It takes one statement; a page after the last
 * is clamped, which takes two more in a transaction. Behind a cursor an empty page is an answer. Throws 422 for a cursor of
 * another order.
 */
export async function readPage<Row extends PageRow>(
  db: Kysely<Tables>,
  request: PageRequest,
  order: Order,
  list: List<Row>,
) {
  const { perPage } = request;
  const after = placeOf(order, request);
  const page = after?.page ?? request.page;
  // One row more than is shown tells whether another page follows.
  const cut = { limit: perPage + 1, offset: after === undefined ? (page - 1) * perPage : 0, after };
  const found = await list.page(db, cut);
  const [first] = found;
  if (first !== undefined || page === 1) {
    return finishPage(found, { total: first?.total ?? 0, page, perPage }, order);
  }
  const readLast = async (at: Kysely<Tables>) => {
    const total = await list.count(at);
    if (after !== undefined) return finishPage<Row>([], { total, page, perPage }, order);
    const { envelope, offset } = placePage(total, request);
    return finishPage(await list.page(at, { ...cut, offset }), { ...envelope, total }, order);
  };
  return db.isTransaction ? await readLast(db) : await readConsistently(db, readLast);
}

function placeOf(order: Order, { page, after }: PageRequest): Place | undefined {
  if (after === undefined) return undefined;
  if (page !== 1) {
    throw invalidInput("INVALID_INPUT", { fieldErrors: { after: ["Must not be given with a page."] } });
  }
  return readCursor(order, after);
}

/** A page of the rows that were found, of which the one over `perPage` only says that more follow. */
function finishPage<Row extends PageRow>(
  found: readonly Row[],
  { total, page, perPage }: { readonly total: number; readonly page: number; readonly perPage: number },
  order: Order,
) {
  const { envelope } = placePage(total, { page, perPage });
  const rows = found.slice(0, perPage);
  const nextCursor = found.length > perPage ? cursorAfter(order, envelope.page, rows.at(-1)) : null;
  return { envelope: { ...envelope, nextCursor }, rows };
}

/** The cursor behind the last row of a page; null in an order that none can continue. */
export function cursorAfter(
  order: Order,
  page: number,
  last: Pick<PageRow, "place"> | undefined,
): string | null {
  if (order.isMoving === true || last === undefined) return null;
  return cursorOf(order, { page: page + 1, keys: readPlace(last.place) });
}

/** A query that can be cut to a page. */
interface Cuttable<Row> {
  where(condition: Expression<SqlBool>): Cuttable<Row>;
  orderBy(key: Expression<unknown>, direction: "asc" | "desc"): Cuttable<Row>;
  limit(limit: number): Cuttable<Row>;
  offset(offset: number): Cuttable<Row>;
  execute(): Promise<Row[]>;
}

/** What a page needs beside the columns that it shows. */
export type PageColumns = [AliasedRawBuilder<number, "total">, AliasedRawBuilder<string, "place">];

/** As `readPage`, for a query: `find` has its conditions, `show` adds columns, those of the page among them. */
export async function readPageOf<Found extends Expression<unknown>, Row extends PageRow>(
  db: Kysely<Tables>,
  request: PageRequest,
  order: Order,
  find: (db: Kysely<Tables>) => Found,
  show: (found: Found, columns: PageColumns) => Cuttable<Row>,
) {
  const total = request.isUncounted === true ? () => sql<number>`0`.as("total") : countOf;
  return await readPage(db, request, order, {
    page: async (at, { limit, offset, after }) => {
      const found = find(at);
      const shown = show(found, [total(found), placeColumn(order)]);
      return await inOrder(shown, order, after).limit(limit).offset(offset).execute();
    },
    count: async (at) => (await at.selectNoFrom(countOf(find(at))).executeTakeFirstOrThrow()).total,
  });
}

/** The rows of a query in an order, or those behind a place. */
export function inOrder<Row>(query: Cuttable<Row>, order: Order, after: Place | undefined): Cuttable<Row> {
  const behind = after === undefined ? query : query.where(isBehind(order, after.keys));
  return order.keys.reduce((sorted, { by, direction }) => sorted.orderBy(by, direction), behind);
}

function countOf(found: Expression<unknown>) {
  return sql<number>`(select count(*) from ${found} as found)`.as("total");
}

/** The envelope of a list without its items, with the page clamped to the last one, and the number of rows to skip. */
export function placePage(total: number, { page, perPage }: Pick<PageRequest, "page" | "perPage">) {
  const pageCount = Math.max(1, Math.ceil(total / perPage));
  const clamped = Math.min(page, pageCount);
  return { envelope: { total, page: clamped, perPage, pageCount }, offset: (clamped - 1) * perPage };
}
