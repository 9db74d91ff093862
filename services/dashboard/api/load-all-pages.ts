/** The most rows that one page of a list may have. */
export const PER_PAGE = 100;

export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly pageCount: number;
}

/** Which page to load, from 1. */
export interface Place {
  readonly page: number;
  readonly perPage: number;
}

/**
 * Loads a list page by page, until it ends or has `most` rows. A row that moves to the next page meanwhile is there
 * once. `total` is how many rows the list has.
 */
export async function loadAllPages<Row>(
  loadPage: (place: Place) => Promise<ListPage<Row>>,
  idOf: (row: Row) => string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const rows = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const { items, total, pageCount } = await loadPage({ page, perPage: PER_PAGE });
    for (const row of items) rows.set(idOf(row), row);
    if (page >= pageCount || rows.size >= most)
      return { rows: [...rows.values()], total: total ?? rows.size };
  }
}
