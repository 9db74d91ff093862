/** Rows that are at hand at once, and how many there are in all. */
export interface AllRows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

interface PageOfRows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly pageCount: number;
}

/** The most that a page of a list may have, so that there are few of them. */
export const ROWS_AT_A_TIME = 100;

/** Loads a list page by page, until it ends or there are `most` rows. A row that moves to the next page meanwhile is there once. */
export async function loadAllPages<Row extends { readonly id: string }>(
  most: number,
  loadPage: (page: number) => Promise<PageOfRows<Row>>,
): Promise<AllRows<Row>> {
  const rows = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const { items, total, pageCount } = await loadPage(page);
    for (const row of items) rows.set(row.id, row);
    if (page >= pageCount || rows.size >= most) return { rows: [...rows.values()], total };
  }
}
