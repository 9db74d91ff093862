/** The most rows that a page of a list may have. */
const PER_PAGE = 100;

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pageCount: number;
}

/** Every item of a list, page by page. For lists that a workspace has few of; the server caps how many there can be. */
export async function readAllPages<Item>(
  readPage: (at: { readonly page: number; readonly perPage: number }) => Promise<ListPage<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const found = await readPage({ page, perPage: PER_PAGE });
    items.push(...found.items);
    if (page >= found.pageCount) return items;
  }
}
