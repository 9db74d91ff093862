/** Which part of a list a request wants. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/** The envelope of a list without its items, with the page clamped to those there are, and the rows to skip. */
export function placePage(total: number, { page, perPage }: PageRequest) {
  const pageCount = Math.max(1, Math.ceil(total / perPage));
  const clamped = Math.min(page, pageCount);
  return { envelope: { total, page: clamped, perPage, pageCount }, offset: (clamped - 1) * perPage };
}
