import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { readAtOneMoment } from "./one-moment.ts";

/** Which part of a list a request wants. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/** The rows of one page, as SQL cuts them. */
export interface Cut {
  readonly limit: number;
  readonly offset: number;
}

/** How a list is read: a page whose rows carry the total along, and the total by itself. */
interface List<Row> {
  readonly page: (db: Kysely<Tables>, cut: Cut) => Promise<readonly Row[]>;
  readonly count: (db: Kysely<Tables>) => Promise<number>;
}

/**
 * One page of a list with its envelope, both as of one moment. It takes one statement, and only for a page after the
 * last, which is clamped, two more in a transaction.
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
  return await readAtOneMoment(db, async (trx) => {
    const { envelope, offset } = placePage(await list.count(trx), request);
    return { envelope, rows: await list.page(trx, { limit: perPage, offset }) };
  });
}

/** The envelope of a list without its items, with the page clamped to those there are, and the rows to skip. */
export function placePage(total: number, { page, perPage }: PageRequest) {
  const pageCount = Math.max(1, Math.ceil(total / perPage));
  const clamped = Math.min(page, pageCount);
  return { envelope: { total, page: clamped, perPage, pageCount }, offset: (clamped - 1) * perPage };
}
